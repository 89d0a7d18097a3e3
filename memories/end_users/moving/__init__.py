"""All that is kept of an end user, carried out as JSON Lines and taken in again.

`kinds` says what each line holds, `export` writes, `exported` reads and checks, `restore` stores. Source: contract
end_users, export and import; R6.
"""
