DROP TABLE spent_tokens, rate_limits;
