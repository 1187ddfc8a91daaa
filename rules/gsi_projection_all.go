package rules

import (
	"ddbvet/cost"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var gsiProjectionAll = &Rule{
	ID:       "gsi-projection-all",
	Severity: Warning,
	Needs:    Definition,
	Applies:  hasGSIs,
	Check:    checkGSIProjectionAll,
	Doc: Doc{
		Summary:   "a global secondary index projects all attributes though its patterns read few",
		Why:       "Each write of an item is written again to the index, by begun kilobytes of what is projected, and stored again. Up to 1 KB an entry ALL costs no more writes than keys do; beyond that every kilobyte nobody reads is paid twice.",
		Fix:       "Project the attributes that the index's patterns need (INCLUDE), or keys only. The projection cannot be changed: make a new index, then drop the old.",
		Threshold: "entries over 1 KB whose patterns read under 50 % of the bytes: warning, or a note where it is worth less than $1 a month. A pattern that uses the whole item justifies ALL. Without patterns, sizes or rates: a note with what is known",
		Source:    "DynamoDB Developer Guide, \"General guidelines for secondary indexes in DynamoDB\"; 50 % is ours",
		Since:     "0.1",
		Bad:       "projection = \"all\"         # 3 KB items; needs = [\"orderId\"]",
		Good:      "projection = \"keys-only\"   # 3 KB items; needs = [\"orderId\"]",
	},
}

func checkGSIProjectionAll(p *Pass) {
	for _, ix := range p.gsis() {
		switch projection, known := ix.Projection.Get(); {
		case !known:
			p.Skip(ix.DisplayName(), "the projection")
		case projection != table.ProjectionAll || source.Is(ix.ReadReplica, true):
		case !ix.Key.Complete() || !p.Table.Key.Complete():
			p.Skip(ix.DisplayName(), "the key schemas")
		default:
			p.projection(ix)
		}
	}
}

func (p *Pass) projection(ix *table.Index) {
	judged := false
	for _, e := range p.Table.Entities.Items {
		if fillsIndex(p.Table, ix, e) {
			judged = true
			p.projectionOf(ix, e)
		}
	}
	if !judged {
		p.Report(Finding{
			Severity: Note, Known: Heuristic, At: ix.Projection.At, Index: ix.DisplayName(),
			Message: "gsi " + quoted(ix.DisplayName()) + " projects ALL; what that costs cannot be quantified without item sizes and access patterns",
		})
		p.Skip(ix.DisplayName(), "item sizes", "access patterns")
	}
}

func (p *Pass) projectionOf(ix *table.Index, e *table.Entity) {
	size, known := table.ItemBytes(e)
	if !known {
		p.Skip(ix.DisplayName(), "item_size of "+quoted(entityName(e)))
		return
	}
	if size <= 1024 {
		return
	}
	use := p.indexUse(ix, e)
	if use.whole {
		return
	}
	if len(use.gaps) > 0 {
		p.Skip(ix.DisplayName(), use.gaps...)
		return
	}
	n := narrow(p.Table, ix, e, use.attributes)
	if !n.sized {
		p.unsizedProjection(ix, e, n)
		return
	}
	if 2*n.bytes >= float64(size) {
		return
	}
	p.reportProjection(ix, e, float64(size), n, use)
}

// unsizedProjection says that attributes nobody reads are projected, and what
// would tell how much they cost.
func (p *Pass) unsizedProjection(ix *table.Index, e *table.Entity, n narrowed) {
	p.Report(Finding{
		Severity: Note, Known: Estimated, At: ix.Projection.At, Index: ix.DisplayName(), Entity: entityName(e),
		Message: "gsi " + quoted(ix.DisplayName()) + " projects ALL of " + quoted(entityName(e)) + " though its patterns need " +
			n.text + "; what that costs cannot be quantified without the sizes of " + quotedList(n.unsized),
	})
	p.Skip(ix.DisplayName(), "the sizes of "+quotedList(n.unsized))
}

func (p *Pass) reportProjection(ix *table.Index, e *table.Entity, size float64, n narrowed, use indexUse) {
	all, less := cost.WriteUnits(0, size), cost.WriteUnits(0, n.bytes)
	base := all // the item itself
	saved, gaps := p.projectionSaving(ix, e, size, n)
	f := Finding{
		Severity: Warning, Known: Estimated, At: ix.Projection.At, Index: ix.DisplayName(), Entity: entityName(e), Monthly: saved,
		Message: "gsi " + quoted(ix.DisplayName()) + " projects ALL of " + quoted(entityName(e)) + ", " + byteSize(size) + " an entry, " + use.text() +
			": an insert takes " + number(base+all) + " write units with ALL, " + number(base+less) + " with " + n.text,
		Numbers: []Number{
			{"entry_bytes_all", size},
			{"entry_bytes_needed", n.bytes},
			{"insert_units_all", base + all},
			{"insert_units_needed", base + less},
		},
	}
	if saved.Known() {
		f.Message += "; saves " + saved.String() + " a month"
		f.Numbers = addDollars(f.Numbers, "monthly_saving_usd", saved)
	}
	if dollars, ok := saved.Float(); ok && dollars < 1 && len(gaps) == 0 || !use.read {
		f.Severity = Note
	}
	f.Fix = "Project " + n.text + ". " + "The projection cannot be changed: make a new index, move its readers, then drop the old."
	p.Report(f)
	if len(gaps) > 0 {
		p.Skip(ix.DisplayName(), gaps...)
	}
}
