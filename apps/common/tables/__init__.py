"""Reading and writing CSV files and workbooks."""
