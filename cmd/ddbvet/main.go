// Command ddbvet vets DynamoDB tables. See the README.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], system())) }
