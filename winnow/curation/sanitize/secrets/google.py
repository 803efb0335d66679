"""Keys of Google: API keys, OAuth client secrets, access and refresh tokens, Firebase server keys, HMAC ids."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

GOOGLE_API_KEY = known_shape(
    "google_api_key",
    ("AIza",),
    r"AIza[A-Za-z0-9_-]{35}",
)
GOOGLE_CLIENT_SECRET = known_shape(
    "google_client_secret",
    ("GOCSPX-",),
    r"GOCSPX-[A-Za-z0-9_-]{28}",
)
GOOGLE_ACCESS_TOKEN = known_shape(
    "google_access_token",
    ("ya29.",),
    r"ya29\.[A-Za-z0-9_-]{20,2048}",
)
GOOGLE_REFRESH_TOKEN = known_shape(
    "google_refresh_token",
    ("1//0",),
    START + r"1//0[A-Za-z0-9_-]{24,200}",
    least=12,
)
FIREBASE_SERVER_KEY = known_shape(
    "google_firebase_server_key",
    (":APA91b",),
    r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}",
)
GOOGLE_HMAC_ID = known_shape(
    "google_hmac_id",
    ("GOOG1",),
    r"GOOG1[A-Z0-9]{20,60}",
)
