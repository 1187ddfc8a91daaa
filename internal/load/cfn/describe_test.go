package cfn

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

const fixtures = "../../../fixtures/templates/"

// parse reads a template, JSON by the JSON reader.
func parse(t testing.TB, name string, data []byte) *node.Node {
	t.Helper()
	f := source.NewFile(name, data)
	if filepath.Ext(name) == ".json" {
		doc, d := node.ParseJSON(f)
		if d != nil {
			t.Fatal(d)
		}
		return doc
	}
	docs, d := node.ParseYAML(f)
	if d != nil {
		t.Fatal(d)
	}
	return docs[0]
}

func loadFixture(t testing.TB, name string, params map[string]string) (map[string]facts, []string) {
	t.Helper()
	data, err := os.ReadFile(fixtures + name)
	if err != nil {
		t.Fatal(err)
	}
	return loadText(t, name, string(data), params)
}

func loadText(t testing.TB, name, text string, params map[string]string) (map[string]facts, []string) {
	t.Helper()
	tables, errs := Load(parse(t, name, []byte(text)), Options{Parameters: params})
	out := map[string]facts{}
	for _, tb := range tables {
		if out[tb.LogicalName] != nil {
			t.Errorf("table %s was read twice", tb.LogicalName)
		}
		out[tb.LogicalName] = describe(tb)
	}
	var msgs []string
	for _, e := range errs {
		msgs = append(msgs, fmt.Sprintf("%d:%d %s", e.At.Start.Line, e.At.Start.Col, e.Message))
	}
	return out, msgs
}

// facts is a table as text: "v" is written, "v*" is a default, "-" is absent
// and "? why" is unresolved.
type facts map[string]string

func show[T any](v source.Value[T]) string {
	x, ok := v.Get()
	switch {
	case v.Unresolved():
		return "? " + v.Why
	case !ok:
		return "-"
	case v.Written():
		return fmt.Sprint(x)
	}
	return fmt.Sprint(x) + "*"
}

func showScaling(v source.Value[table.ScalingTarget]) string {
	s, ok := v.Get()
	if !ok {
		return show(v)
	}
	return show(s.Min) + ".." + show(s.Max) + "@" + show(s.Percent)
}

// describe writes every field of a table.
func describe(t *table.Table) facts {
	f := facts{
		"type": t.ResourceType, "at": fmt.Sprintf("%d:%d", t.At.Start.Line, t.At.Start.Col),
		"name": show(t.Name), "region": show(t.Region), "key": showKey(t.Key), "billing": show(t.Billing),
		"rcu": show(t.Capacity.Read), "wcu": show(t.Capacity.Write),
		"max_read": show(t.MaxOnDemand.Read), "max_write": show(t.MaxOnDemand.Write),
		"warm_read": show(t.Warm.Read), "warm_write": show(t.Warm.Write),
		"scale_read": showScaling(t.Scaling.Read), "scale_write": showScaling(t.Scaling.Write),
		"class": show(t.Class), "ttl": show(t.TTL.Attribute), "ttl_on": show(t.TTL.Enabled),
		"stream": show(t.StreamView), "pitr": show(t.PITR), "protected": show(t.DeletionProtection),
		"kms": show(t.KMSKey), "consistency": show(t.Consistency), "condition": show(t.Condition),
		"deletion": show(t.DeletionPolicy), "replace": show(t.UpdateReplacePolicy),
		"defs":      showList(t.Attributes, func(a table.AttributeDef) string { return show(a.Name) + ":" + show(a.Type) }),
		"tags":      showList(t.Tags, func(a table.Tag) string { return show(a.Key) + "=" + show(a.Value) }),
		"witnesses": showList(t.Witnesses, show[string]),
		"vectors": showList(t.Vectors, func(v table.VectorIndex) string {
			return show(v.Name) + ":" + show(v.Attribute) + ":" + show(v.Dimensions)
		}),
		"gsis":     showList(t.GSIs, func(ix *table.Index) string { return show(ix.Name) }),
		"lsis":     showList(t.LSIs, func(ix *table.Index) string { return show(ix.Name) }),
		"replicas": showList(t.Replicas, func(r table.Replica) string { return show(r.Region) }),
	}
	for _, ix := range t.Indexes() {
		p := ix.DisplayName() + "."
		f[p+"key"] = showKey(ix.Key)
		f[p+"projection"] = show(ix.Projection) + " " + showList(ix.NonKey, show[string])
		f[p+"units"] = show(ix.Capacity.Read) + " " + show(ix.Capacity.Write)
		f[p+"max"] = show(ix.MaxOnDemand.Read) + " " + show(ix.MaxOnDemand.Write)
		f[p+"warm"] = show(ix.Warm.Read) + " " + show(ix.Warm.Write)
		f[p+"scale_read"], f[p+"scale_write"] = showScaling(ix.Scaling.Read), showScaling(ix.Scaling.Write)
	}
	for _, r := range t.Replicas.Items {
		p := show(r.Region) + "."
		f[p+"set"] = show(r.Class) + " " + show(r.PITR) + " " + show(r.DeletionProtection)
		f[p+"read"] = show(r.Read) + " " + show(r.MaxRead) + " " + showScaling(r.ReadScaling)
		for _, ix := range r.Indexes {
			f[p+show(ix.Name)] = show(ix.Read) + " " + show(ix.MaxRead) + " " + showScaling(ix.ReadScaling)
		}
	}
	return f
}

func showKey(k table.Key) string {
	var parts []string
	for _, e := range k.Elements {
		parts = append(parts, show(e.Role)+" "+show(e.Name)+":"+show(e.Type))
	}
	if k.Incomplete != "" {
		parts = append(parts, "... "+k.Incomplete)
	}
	return strings.Join(parts, ", ")
}

func showList[T any](l source.List[T], item func(T) string) string {
	var parts []string
	for _, it := range l.Items {
		parts = append(parts, item(it))
	}
	if l.Incomplete != "" {
		parts = append(parts, "... "+l.Incomplete)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
