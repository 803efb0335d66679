-- Under which licences may I train? Rows of the train set, a source and licence.
SELECT source, coalesce(license, '(not stated)') AS license, count(*) AS rows
FROM sft_train
GROUP BY source, license
ORDER BY source, rows DESC, license;
