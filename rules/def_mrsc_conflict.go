package rules

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// mrscSets are the Regions among which strong consistency is offered; a table
// stays within one set.
var mrscSets = [...][]string{
	{"us-east-1", "us-east-2", "us-west-2"},
	{"eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1"},
	{"ap-northeast-1", "ap-northeast-2", "ap-northeast-3"},
}

// mrscRegions is the number of Regions, a witness included.
const mrscRegions = 3

var defMRSCConflict = &Rule{
	ID: "def-mrsc-conflict", Severity: Error, Needs: Definition, Check: checkDefMRSCConflict,
	Doc: Doc{
		Summary:   "multi-Region strong consistency together with something it does not support",
		Why:       "Global tables with strong consistency have no time to live, no local indexes and no transactions, and stay in three Regions of one set; the deployment or the call fails.",
		Fix:       "Use eventual consistency (MREC), or drop the feature and choose three Regions of one set.",
		Threshold: "no TTL, no LSI, no transactions; 3 replicas, or 2 and a witness, within one Region set",
		Source:    "DynamoDB developer guide: V2globaltables_HowItWorks, multi-region-strong-consistency-gt",
		Since:     "0.1",
		Bad:       "MultiRegionConsistency: STRONG\nTimeToLiveSpecification: {AttributeName: expiresAt, Enabled: true}",
		Good:      "MultiRegionConsistency: STRONG\nReplicas: [{Region: us-east-1}, {Region: us-east-2}, {Region: us-west-2}]",
	},
}

func checkDefMRSCConflict(p *Pass) {
	t := p.Table
	mode, ok := t.Consistency.Get()
	switch {
	case t.Consistency.Unresolved():
		p.Skip("", gap("multi-region consistency", t.Consistency))
		return
	case !ok || mode != "STRONG":
		return
	}
	checkMRSCTTL(p)
	for _, ix := range t.LSIs.Items {
		p.Report(Finding{
			Index: ix.DisplayName(), At: ix.At,
			Message: fmt.Sprintf("strong multi-region consistency with local index %q; it supports no local indexes", ix.DisplayName()),
		})
	}
	if gaps := append(listGaps("lsis", t.LSIs), listGaps("access patterns", t.Patterns)...); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for _, pt := range t.Patterns.Items {
		if op, ok := pt.Operation.Get(); ok && table.Transactional(op) {
			name, _ := pt.Name.Get()
			p.Report(Finding{
				Pattern: name, At: place(pt.Operation.At, pt.At),
				Message: fmt.Sprintf("strong multi-region consistency and pattern %q is a %s; it supports no transactions", name, op),
			})
		}
	}
	checkMRSCRegions(p)
}

func checkMRSCTTL(p *Pass) {
	ttl := p.Table.TTL
	attribute, ok := ttl.Attribute.Get()
	switch {
	case source.Is(ttl.Enabled, false), ttl.Attribute.Absent() && !ttl.Enabled.Known():
	case ttl.Enabled.Unresolved():
		p.Skip("", gap("whether ttl is enabled", ttl.Enabled))
	case !ok && ttl.Attribute.Unresolved() && !source.Is(ttl.Enabled, true):
		p.Skip("", gap("ttl attribute", ttl.Attribute))
	default:
		p.Report(Finding{
			Attribute: attribute, At: place(ttl.Attribute.At, ttl.Enabled.At),
			Message: fmt.Sprintf("strong multi-region consistency with time to live on %q; it supports no ttl", attribute),
		})
	}
}

// checkMRSCRegions judges the set of Regions: one finding for all that is
// wrong with it.
func checkMRSCRegions(p *Pass) {
	t := p.Table
	values, gaps := regionsOf(t)
	gaps = append(gaps, listGaps("witnesses", t.Witnesses)...)
	total := len(values) + len(t.Witnesses.Items)
	var names []string
	at := t.Replicas.At
	var set []string
	bad := ""
	for _, v := range append(slices.Clone(values), t.Witnesses.Items...) {
		region, ok := v.Get()
		if !ok {
			gaps = append(gaps, gap("region", v))
			continue
		}
		names = append(names, region)
		own := setOf(region)
		switch {
		case bad != "":
		case own == nil:
			bad, at = fmt.Sprintf("%s is in no region set", region), v.At
		case set != nil && !slices.Equal(set, own):
			bad, at = fmt.Sprintf("%s is in another region set than %s", region, names[0]), v.At
		}
		if set == nil {
			set = own
		}
	}
	if bad == "" && len(gaps) == 0 && (total != mrscRegions || len(t.Witnesses.Items) > 1) {
		bad = fmt.Sprintf("it has %s and %s", plural(len(values), "replica", "replicas"), plural(len(t.Witnesses.Items), "witness", "witnesses"))
	}
	if bad == "" {
		if len(gaps) > 0 {
			p.Skip("", gaps...)
		}
		return
	}
	p.Report(Finding{
		At: place(at, t.Consistency.At, t.At),
		Message: fmt.Sprintf("strong multi-region consistency over %s: %s; it takes %d replicas, or 2 and a witness, of one region set",
			strings.Join(names, ", "), bad, mrscRegions),
		Numbers: []Number{{"regions", float64(total)}, {"limit", mrscRegions}},
	})
}

// setOf returns the region set that holds the Region, or nil.
func setOf(region string) []string {
	for _, set := range mrscSets {
		if slices.Contains(set, region) {
			return set
		}
	}
	return nil
}
