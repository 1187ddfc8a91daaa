package cfn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// FuzzCFN holds that no template makes the loader panic, that what it says
// has a place, and that every table has its logical id and place.
func FuzzCFN(f *testing.F) {
	names, err := filepath.Glob(fixtures + "*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "dev")
	}
	f.Fuzz(func(t *testing.T, data []byte, param string) {
		docs, d := node.ParseYAML(source.NewFile("t.yaml", data))
		if d != nil {
			return
		}
		for _, doc := range docs {
			Is(doc)
			tables, errs := Load(doc, Options{Parameters: map[string]string{"Stage": param, "AWS::Region": "eu-west-1"}})
			for _, e := range errs {
				if !e.At.Known() || e.Message == "" {
					t.Errorf("a diagnostic without a place or a text: %v", e)
				}
			}
			for _, tb := range tables {
				if !tb.At.Known() || tb.ResourceType == "" {
					t.Errorf("table %q has no place or type", tb.LogicalName)
				}
				for key, v := range describe(tb) {
					if strings.Contains(v, "\x00Ref ") || strings.Contains(v, "\x00GetAtt ") {
						t.Errorf("%s of table %q shows an inner mark: %q", key, tb.LogicalName, v)
					}
				}
			}
		}
	})
}
