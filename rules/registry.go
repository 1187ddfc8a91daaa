package rules

// All lists every rule in order of id. A test compares it with the directory.
var All = []*Rule{}
