-- What do calls of models cost, and how long do they take? Each model and purpose, with p50 and p95.
-- Percentiles are of calls that were answered by the model, not of those from the cache; they interpolate linearly.
WITH calls AS (
    SELECT *, NOT cache_hit AND failure IS NULL AS answered FROM model_calls
)
SELECT
    provider,
    model,
    purpose,
    count(*) AS requests,
    count(*) FILTER (answered) AS answered,
    count(*) FILTER (failure IS NOT NULL) AS failed,
    count(*) FILTER (resent) AS resent,
    count(*) FILTER (cache_hit) / count(*) AS hit_rate,
    sum(dollars) AS dollars,
    sum(dollars_at_risk) AS dollars_at_risk,
    quantile_cont(dollars, 0.5) FILTER (answered) AS dollars_p50,
    quantile_cont(dollars, 0.95) FILTER (answered) AS dollars_p95,
    quantile_cont(latency_seconds, 0.5) FILTER (answered) AS latency_p50,
    quantile_cont(latency_seconds, 0.95) FILTER (answered) AS latency_p95,
    CAST(sum(tokens_in) FILTER (answered) AS BIGINT) AS tokens_in,
    CAST(sum(tokens_out) FILTER (answered) AS BIGINT) AS tokens_out,
    quantile_cont(tokens_in, 0.5) FILTER (answered) AS tokens_in_p50,
    quantile_cont(tokens_in, 0.95) FILTER (answered) AS tokens_in_p95,
    quantile_cont(tokens_out, 0.5) FILTER (answered) AS tokens_out_p50,
    quantile_cont(tokens_out, 0.95) FILTER (answered) AS tokens_out_p95
FROM calls
GROUP BY provider, model, purpose
ORDER BY dollars DESC, provider, model, purpose;
