DROP TABLE access_tokens, password_resets, invitations, user_identities, login_devices, login_failures, sessions;
