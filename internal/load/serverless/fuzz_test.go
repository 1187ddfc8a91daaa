package serverless

import (
	"os"
	"path/filepath"
	"testing"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// FuzzServerless holds that no service and no included file makes the loader
// panic, and that what it says has a place.
func FuzzServerless(f *testing.F) {
	for _, pattern := range []string{"serverless-*/serverless.yml", "serverless-*/*/*"} {
		names, err := filepath.Glob(fixtures + pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, []byte("Resources: {T: {Type: 'AWS::DynamoDB::Table'}}"))
			f.Add([]byte("service: s\nprovider: aws\nresources: ['${file(a.yml)}', '${file(b.json):a, file(c)}']\n"), data)
		}
	}
	f.Fuzz(func(t *testing.T, data, included []byte) {
		docs, d := node.ParseYAML(source.NewFile("serverless.yml", data))
		if d != nil {
			return
		}
		read := func(path string) (*source.File, error) { return source.NewFile(path, included), nil }
		for _, doc := range docs {
			r := Load(doc, Options{Read: read, Parameters: map[string]string{"opt:stage": "prod"}})
			for _, e := range r.Errors {
				if !e.At.Known() || e.Message == "" {
					t.Errorf("a diagnostic without a place or a text: %v", e)
				}
			}
			for _, tb := range r.Tables {
				if !tb.At.Known() {
					t.Errorf("table %q has no place", tb.LogicalName)
				}
			}
		}
	})
}
