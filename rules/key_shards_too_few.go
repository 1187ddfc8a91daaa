package rules

import (
	"math"

	"ddbvet/internal/table"
)

// shardWCU is the write load a shard is planned for: 80 % of a partition.
const shardWCU = 800

var keyShardsTooFew = &Rule{
	ID:       "key-shards-too-few",
	Severity: Warning,
	Needs:    Data | Patterns,
	Check:    checkKeyShardsTooFew,
	Doc: Doc{
		Summary:   "a write-sharded key has too few shards for its peak",
		Why:       "Each shard is one key value and takes 1,000 WCU a second. Too few shards are hot as one was, only more slowly to show it; raising their number later means reading old and new shards side by side.",
		Fix:       "Raise the number of shards, and with it the queries of every reader.",
		Threshold: "declared peak / shards over 800 WCU/s is a warning, from 1,000 WCU/s an error; least shards = ceil(peak / 1,000), advised = ceil(peak / 800)",
		Source:    "DynamoDB Developer Guide, \"Using write sharding to distribute workloads evenly\"; 800 is 80 % of the partition's limit",
		Since:     "0.1",
		Bad:       "key = { PK = \"topic#{0..2}\" }   # 4,500 WCU/s",
		Good:      "key = { PK = \"topic#{0..7}\" }   # 4,500 WCU/s",
	},
}

func checkKeyShardsTooFew(p *Pass) {
	if !p.Table.Key.Complete() || !p.Table.GSIs.Complete() {
		p.Skip("", "the key schemas of the table and its gsis")
	}
	p.shards(nil)
	for _, ix := range p.Table.GSIs.Items {
		p.shards(ix)
	}
}

// shards judges the sharded keys of the table (nil) or of an index.
func (p *Pass) shards(ix *table.Index) {
	for _, u := range partitionsOf(p.Table, ix) {
		if u.sharded() {
			p.tooFewShards(&u)
		}
	}
}

func (p *Pass) tooFewShards(u *partition) {
	n := 1.0
	logical := u.now() // the key without its shards, at one moment
	var rest []keyPlace
	for _, pl := range logical.places {
		if pl.shards > 0 {
			n *= float64(pl.shards)
		} else {
			rest = append(rest, pl)
		}
	}
	logical.places = rest
	tr := p.trafficOn(u.index, u.entity)
	lo, hi, _ := logical.busiestShare()
	peak := tr.write * lo
	if perShard := peak / n; perShard > shardWCU {
		p.reportShards(u, tr, n, peak)
	}
	if len(tr.unsure) > 0 {
		p.Skip(keySubject(u), tr.unsure...)
	} else if lo < hi && tr.write*hi/n > shardWCU && peak/n <= shardWCU {
		p.Skip(keySubject(u), "the busiest value's share of "+quotedList(logical.names()))
	}
}

func (p *Pass) reportShards(u *partition, tr traffic, n, peak float64) {
	perShard := peak / n
	sev := Warning
	if perShard >= partitionWCU {
		sev = Error
	}
	least, advised := math.Ceil(peak/partitionWCU), math.Ceil(peak/shardWCU)
	msg := u.where() + " has " + counted(n, "shard") + " for a peak of " + number(peak) + " WCU/s: " +
		number(perShard) + " WCU/s a shard (limit 1,000 WCU/s a partition, planned for 800); at least " +
		number(least) + " are needed, " + number(advised) + " advised"
	fix := "Use " + number(advised) + " shards"
	if len(tr.readers) > 0 {
		fix += "; a read of every shard by " + quotedList(tr.readers) + " then costs " + number(advised) + " queries instead of " + number(n)
	} else {
		fix += "; a reader of the whole then sends " + number(advised) + " queries"
	}
	p.Report(Finding{
		Severity: sev, Known: Estimated, At: u.at,
		Index: u.indexName(), Attribute: u.attr, Entity: entityName(u.entity),
		Message: msg + u.pressure(p.Table, heat{write: perShard}),
		Fix:     fix + ".",
		Numbers: []Number{{"shards", n}, {"peak_wcu", peak}, {"peak_shard_wcu", perShard}, {"least_shards", least}, {"advised_shards", advised}},
	})
}
