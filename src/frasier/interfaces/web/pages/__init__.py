"""The pages, a module for each subject: what they read, and what their forms do."""
