-- Calls of models, those answered from the cache included: tokens, dollars, latency, purpose.
CREATE OR REPLACE VIEW model_calls AS
FROM pinned.model_calls;
