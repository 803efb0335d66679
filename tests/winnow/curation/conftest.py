from hypothesis import settings

# The first example of a test pays for imports and tables; on a busy machine any may take long.
settings.register_profile("curation", deadline=None)
settings.load_profile("curation")
