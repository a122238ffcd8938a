DROP TABLE login_devices; DROP TABLE login_failures;
