"""What other tools read: JSON, JUnit, Allure."""
