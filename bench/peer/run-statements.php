<?php
// Runs SQL statements on a SQLite database, in one transaction. Argument: the file of the database. Reads
// [[statement, values], …] as JSON from the standard input and prints the rows of the last statement as JSON.
$database = new SQLite3($argv[1]);
$database->enableExceptions(true);
$database->busyTimeout(60000);
$rows = [];
$database->exec("begin");
foreach (json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR) as [$text, $values]) {
  $statement = $database->prepare($text);
  foreach ($values as $index => $value) $statement->bindValue($index + 1, $value);
  $result = $statement->execute();
  $rows = [];
  while ($result->numColumns() > 0 && ($row = $result->fetchArray(SQLITE3_ASSOC))) $rows[] = $row;
  $statement->close();
}
$database->exec("commit");
echo json_encode($rows, JSON_THROW_ON_ERROR);
