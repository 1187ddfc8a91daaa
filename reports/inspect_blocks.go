package reports

import (
	"fmt"
	"strconv"
	"strings"

	"ddbvet/internal/table"
)

// inspectBlocks shows one table: its keys as a table, its settings in a few
// lines, and what could not be known.
func inspectBlocks(t *table.Table, it inspectTable) []Block {
	title := t.DisplayName()
	if it.LogicalName != "" && it.LogicalName != title {
		title += " (" + it.LogicalName + ")"
	}
	blocks := []Block{
		Heading{1, title},
		Paragraph{it.ResourceType + ", " + t.At.String(), Dim},
		keysTable(it),
		Bullets{settings(it)},
	}
	if len(it.Reasons) > 0 {
		var items []Cell
		for _, r := range it.Reasons {
			items = append(items, Cell{"unresolved " + r.Field + ": " + r.Reason, Warned})
		}
		blocks = append(blocks, Bullets{items})
	}
	return blocks
}

func keysTable(it inspectTable) Table {
	base := inspectIndex{PartitionKeys: []inspectKey{}, SortKeys: []inspectKey{}, RCU: it.RCU, WCU: it.WCU}
	if it.PartitionKey != nil {
		base.PartitionKeys = append(base.PartitionKeys, *it.PartitionKey)
	}
	if it.SortKey != nil {
		base.SortKeys = append(base.SortKeys, *it.SortKey)
	}
	tab := Table{
		Head:  []string{"", "partition key", "sort key", "projection", "RCU", "WCU"},
		Right: []bool{false, false, false, false, true, true},
		Rows:  [][]Cell{keysRow("table", base)},
	}
	for _, ix := range it.GSIs {
		tab.Rows = append(tab.Rows, keysRow("GSI "+text(ix.Name, same), ix))
	}
	for _, ix := range it.LSIs {
		tab.Rows = append(tab.Rows, keysRow("LSI "+text(ix.Name, same), ix))
	}
	return tab
}

func keysRow(name string, ix inspectIndex) []Cell {
	projection := text(ix.Projection, same)
	if len(ix.NonKeyAttributes) > 0 {
		projection += " " + strings.Join(ix.NonKeyAttributes, ", ")
	}
	return cells(name, joinKeys(ix.PartitionKeys), joinKeys(ix.SortKeys), projection, text(ix.RCU, int64Text), text(ix.WCU, int64Text))
}

func int64Text(n int64) string { return strconv.FormatInt(n, 10) }

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

func settings(it inspectTable) []Cell {
	class := text(it.TableClass, same)
	lines := []string{
		"billing " + text(it.BillingMode, same) + ", class " + class,
		"point-in-time recovery " + text(it.PITR, onOff) + ", deletion protection " + text(it.DeletionProtection, onOff),
	}
	if it.TTLAttribute != nil {
		lines = append(lines, fmt.Sprintf("TTL on %q: %s", *it.TTLAttribute, text(it.TTLEnabled, onOff)))
	}
	if it.StreamView != nil {
		lines = append(lines, "stream "+*it.StreamView)
	}
	var regions []string
	for _, r := range it.Replicas {
		regions = append(regions, text(r.Region, same))
	}
	if len(regions) > 0 {
		lines = append(lines, "replicas "+strings.Join(regions, ", "))
	}
	lines = append(lines, scalingLine("reads", it.Autoscaling.Read)...)
	lines = append(lines, scalingLine("writes", it.Autoscaling.Write)...)
	if it.AccessPatterns > 0 {
		lines = append(lines, declaredText(it.Entities, it.AccessPatterns))
	}
	return cells(lines...)
}

func declaredText(entities, patterns int) string {
	kinds := "entities"
	if entities == 1 {
		kinds = "entity"
	}
	return fmt.Sprintf("%d %s, %s declared", entities, kinds, count(patterns, "access pattern"))
}

func floatText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func scalingLine(what string, s *inspectTarget) []string {
	if s == nil {
		return nil
	}
	return []string{fmt.Sprintf("auto scaling of %s: %s to %s at %s %%", what, text(s.Min, int64Text), text(s.Max, int64Text), text(s.Target, floatText))}
}
