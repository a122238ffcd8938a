DROP TABLE user_limits;
