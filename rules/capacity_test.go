package rules

import (
	"testing"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

func typed(resource string) func(*table.Table) {
	return func(t *table.Table) { t.ResourceType = resource }
}

func noMode(t *table.Table) { t.Billing = source.Defaulted(table.Provisioned, source.Span{}) }

func capacityOf(ix *table.Index, read, write int64) *table.Index {
	ix.Capacity = units(read, write)
	return ix
}

func withScaling(s table.AutoScaling) func(*table.Table) {
	return func(t *table.Table) { t.Scaling = s }
}

func unresolvedScaling(why string) table.AutoScaling {
	return table.AutoScaling{Read: un[table.ScalingTarget](why), Write: un[table.ScalingTarget](why)}
}

func TestBilling(t *testing.T) {
	for _, c := range []ruleCase{
		{
			name: "O17a no mode and no throughput", rule: defBillingConflict, table: base(noMode),
			want: []string{`^error no billing mode, which means PROVISIONED, and the table has no read and write capacity`},
		},
		{
			name: "O17b on-demand with 5/5", rule: defBillingConflict,
			table: base(func(t *table.Table) { t.Capacity = units(5, 5) }), want: []string{`^error on-demand .*read capacity of 5, a write capacity of 5`},
		},
		{name: "O17c on-demand with 0/0", rule: defBillingConflict, table: base(func(t *table.Table) { t.Capacity = units(0, 0) })},
		{
			name: "O17d on-demand with a GSI of 1/1", rule: defBillingConflict,
			table: base(withGSIs(capacityOf(gsi("g", "a:HASH"), 1, 1))), want: []string{`^error on-demand .*global index "g" has a read capacity of 1`},
		},
		{name: "O17e SimpleTable", rule: defBillingConflict, table: base(typed("AWS::Serverless::SimpleTable"), func(t *table.Table) {
			t.Billing = source.Defaulted(table.PayPerRequest, source.Span{})
		})},
		{name: "O48 default mode with 10/10", rule: defBillingConflict, table: base(fixed(10, 10), noMode)},
		{
			name: "GSI without capacity", rule: defBillingConflict, table: base(fixed(5, 5), withGSIs(gsi("g", "a:HASH"))),
			want: []string{`^error .*global index "g" has no read and write capacity`},
		},
		{name: "zero", rule: defBillingConflict, table: base(fixed(0, 5)), want: []string{`^error .*read capacity of 0; it takes at least 1`}},
		{
			name: "mode unknown is not PROVISIONED", rule: defBillingConflict,
			table: base(func(t *table.Table) { t.Billing = un[string]("var.mode"); t.Capacity = units(5, 5) }), skips: []string{"billing mode (unresolved: var.mode)"},
		},
		{
			name: "capacity unknown", rule: defBillingConflict,
			table: base(fixed(1, 5), func(t *table.Table) { t.Capacity.Read = un[int64]("!Ref R") }), skips: []string{"read capacity (unresolved: !Ref R)"},
		},
		{name: "wrong mode", rule: defBillingConflict, table: base(func(t *table.Table) { t.Billing = w("ON_DEMAND") }), want: []string{`^error billing mode "ON_DEMAND"`}},
		{
			name: "scaling does not stand for a table's capacity", rule: defBillingConflict, table: base(noMode, withScaling(scaled(1, 9))),
			want: []string{`^error`},
		},
		{name: "scaling is a design's capacity", rule: defBillingConflict, table: base(typed("design"), noMode, withScaling(scaled(1, 9)))},
		{name: "on-demand keeps its targets", rule: defBillingConflict, table: base(withScaling(scaled(1, 9)))},

		{name: "40,000", rule: defThroughputQuota, table: base(fixed(40_000, 100)), want: []string{`^warning read capacity 40,000 of the table: at or over 80 %`}},
		{name: "40,001", rule: defThroughputQuota, table: base(fixed(40_001, 100)), want: []string{`^error read capacity 40,001 of the table: over the default quota of 40,000`}},
		{
			name: "one over and one near", rule: defThroughputQuota, table: base(fixed(50_000, 35_000)),
			want: []string{`^error read capacity 50,000 of the table: over the default quota of 40,000 units a second; write capacity 35,000 at or over 80 % of it`},
		},
		{name: "31,999", rule: defThroughputQuota, table: base(fixed(31_999, 100))},
		{
			name: "auto scaling maximum", rule: defThroughputQuota, table: base(fixed(10, 10), withScaling(scaled(10, 50_000))),
			want: []string{`^error auto scaling maximum of read capacity 50,000, auto scaling maximum of write capacity 50,000`},
		},
		{
			name: "sum over the account", rule: defThroughputQuota,
			table: base(fixed(10, 30_000), withGSIs(capacityOf(gsi("g", "a:HASH"), 1, 30_000), capacityOf(gsi("h", "b:HASH"), 1, 30_000))),
			want:  []string{`^error the table and its indexes have 90,000 units of write capacity together, over the account's default quota of 80,000`},
		},
		{
			name: "on-demand maximum", rule: defThroughputQuota, table: base(func(t *table.Table) { t.MaxOnDemand = units(100, 45_000) }),
			want: []string{`^error on-demand write maximum 45,000`},
		},
		{name: "mode unknown", rule: defThroughputQuota, table: base(fixed(50_000, 1), func(t *table.Table) { t.Billing = un[string]("!If") }), skips: []string{"!If"}},
		{
			name: "scaling unknown", rule: defThroughputQuota, table: base(fixed(5, 5), withScaling(unresolvedScaling("not part of DescribeTable"))),
			skips: []string{"auto scaling of read", "auto scaling of write"},
		},
	} {
		c.run(t)
	}
}

func TestAutoScaling(t *testing.T) {
	index := func(read, write int64, s table.AutoScaling) *table.Index {
		ix := capacityOf(gsi("byMail", "mail:HASH"), read, write)
		ix.Scaling = s
		return ix
	}
	sparse := func(ix *table.Index) *table.Index { ix.Sparse = w(true); return ix }
	for _, c := range []ruleCase{
		{
			name: "O21 prod arm", rule: capNoAutoscaling, table: base(fixed(5, 5)),
			want: []string{`^warning the table is provisioned and its read and write capacity has no auto scaling target \(table/Orders\)`},
		},
		{
			name: "O21 mode unknown", rule: capNoAutoscaling, table: base(fixed(5, 5), func(t *table.Table) { t.Billing = un[string](`var.environment == "prod"`) }),
			skips: []string{`var.environment`},
		},
		{name: "O48 target linked", rule: capNoAutoscaling, table: base(fixed(10, 10), noMode, withScaling(scaled(5, 50)))},
		{name: "on-demand keeps its targets", rule: capNoAutoscaling, table: base(withScaling(scaled(5, 50)))},
		{name: "on-demand", rule: capNoAutoscaling, table: base()},
		{
			name: "one dimension", rule: capNoAutoscaling, table: base(fixed(5, 5), withScaling(table.AutoScaling{Read: target(5, 50, 70)})),
			want: []string{`its write capacity has no`},
		},
		{
			name: "attached in a module", rule: capNoAutoscaling, table: base(fixed(5, 5), withScaling(unresolvedScaling("module.scaling"))),
			skips: []string{"module.scaling", "module.scaling"},
		},
		{
			name: "the table bare and the GSI too", rule: capNoAutoscaling, table: base(fixed(5, 5), withGSIs(index(5, 5, table.AutoScaling{}))),
			want: []string{`the table`, `global index "byMail"`},
		},
		{name: "O17a no capacity is the other rule's", rule: capNoAutoscaling, table: base(noMode)},
		{name: "capacity of 0 is the other rule's", rule: capNoAutoscaling, table: base(fixed(0, 5)), want: []string{`its write capacity has no`}},
		{
			name: "O23 writes of a global table are the other rule's", rule: capNoAutoscaling,
			table: base(fixed(5, 5), func(t *table.Table) { t.Replicas = listOf(table.Replica{Region: w("us-west-2")}) }), want: []string{`and its read capacity has no`},
		},
		{
			name: "GSI under a scaled table is the other rule's", rule: capNoAutoscaling,
			table: base(fixed(5, 5), withScaling(scaled(5, 50)), withGSIs(index(5, 5, table.AutoScaling{}))),
		},
		{name: "second replica of a GlobalTable", rule: capNoAutoscaling, table: base(typed(globalTable), fixed(5, 5),
			withScaling(table.AutoScaling{Write: target(5, 50, 70)}), func(t *table.Table) {
				t.Replicas = listOf(
					table.Replica{Region: w("us-east-1"), ReadScaling: target(5, 50, 70)},
					table.Replica{Region: w("us-west-2"), Read: w(int64(5))})
			}), want: []string{`read capacity in us-west-2`}},

		{
			name: "fixed", rule: capAutoscalingFixed, table: base(fixed(5, 5), withScaling(scaled(50, 50))),
			want: []string{`^warning auto scaling of the table cannot move: read capacity between 50 and 50, write capacity between 50 and 50`},
		},
		{name: "moves", rule: capAutoscalingFixed, table: base(fixed(5, 5), withScaling(scaled(50, 51)))},
		{name: "bound unknown", rule: capAutoscalingFixed, table: base(fixed(5, 5), withScaling(table.AutoScaling{
			Read: w(table.ScalingTarget{Min: un[int64]("!Ref Min"), Max: w(int64(5))}),
		})), skips: []string{"auto scaling minimum of read capacity (unresolved: !Ref Min)"}},

		{
			name: "50 %", rule: capAutoscalingTargetLow, table: base(fixed(5, 5), withScaling(table.AutoScaling{Read: target(1, 9, 50), Write: target(1, 9, 51)})),
			want: []string{`^warning auto scaling target of the table: read capacity at 50 %`},
		},
		{
			name: "outside", rule: capAutoscalingTargetLow, table: base(fixed(5, 5), withScaling(table.AutoScaling{Read: target(1, 9, 19), Write: target(1, 9, 91)})),
			want: []string{`^error .*read capacity at 19 %.*write capacity at 91 %`},
		},
		{
			name: "bounds", rule: capAutoscalingTargetLow, table: base(fixed(5, 5), withScaling(table.AutoScaling{Read: target(1, 9, 20), Write: target(1, 9, 90)})),
			want: []string{`^warning .*read capacity at 20 %, 50 % or less$`},
		},
		{name: "policy not seen", rule: capAutoscalingTargetLow, table: base(fixed(5, 5), withScaling(table.AutoScaling{
			Read: w(table.ScalingTarget{Min: w(int64(1)), Max: w(int64(5))}),
		})), skips: []string{"target utilisation of read capacity (not stated)"}},

		{
			name: "O20 static 5 under 10-500", rule: gsiNoAutoscaling,
			table: base(fixed(10, 10), withScaling(scaled(10, 500)), withGSIs(index(5, 5, table.AutoScaling{}))),
			want:  []string{`^error .*global index "byMail" does not: .*\(table/Orders/index/byMail\); its fixed 5 WCU are under the table's 500, so base writes will throttle`},
		},
		{
			name: "wide enough", rule: gsiNoAutoscaling,
			table: base(fixed(10, 10), withScaling(scaled(10, 500)), withGSIs(index(5, 500, table.AutoScaling{}))), want: []string{`^warning`},
		},
		{
			name: "sparse", rule: gsiNoAutoscaling,
			table: base(fixed(10, 10), withScaling(scaled(10, 500)), withGSIs(sparse(index(5, 5, table.AutoScaling{})))), want: []string{`^warning`},
		},
		{name: "both scale", rule: gsiNoAutoscaling, table: base(fixed(10, 10), withScaling(scaled(10, 500)), withGSIs(index(5, 5, scaled(5, 500))))},
		{name: "table does not scale", rule: gsiNoAutoscaling, table: base(fixed(10, 10), withGSIs(index(5, 5, table.AutoScaling{})))},
		{
			name: "index scaling unknown", rule: gsiNoAutoscaling,
			table: base(fixed(10, 10), withScaling(scaled(10, 500)), withGSIs(index(5, 5, unresolvedScaling("module.x")))), skips: []string{"module.x", "module.x"},
		},
		{name: "on-demand keeps its targets", rule: gsiNoAutoscaling, table: base(withScaling(scaled(10, 500)), withGSIs(gsi("g", "a:HASH")))},

		{
			name: "below", rule: gsiWCUBelowBase, table: base(fixed(10, 100), withGSIs(index(10, 20, table.AutoScaling{}))),
			want: []string{`^warning global index "byMail" has a write capacity of 20 WCU, under the table's write capacity of 100 WCU`},
		},
		{name: "equal", rule: gsiWCUBelowBase, table: base(fixed(10, 100), withGSIs(index(1, 100, table.AutoScaling{})))},
		{name: "declared sparse with low WCU", rule: gsiWCUBelowBase, table: base(fixed(10, 100), withGSIs(sparse(index(10, 20, table.AutoScaling{}))))},
		{
			name: "maxima", rule: gsiWCUBelowBase, table: base(fixed(10, 10), withScaling(scaled(5, 500)), withGSIs(index(10, 100, scaled(5, 400)))),
			want: []string{`auto scaling maximum of writes of 400 WCU, under the table's auto scaling maximum of writes of 500`},
		},
		{name: "low now, same maximum", rule: gsiWCUBelowBase, table: base(fixed(10, 100), withScaling(scaled(5, 500)), withGSIs(index(10, 5, scaled(5, 500))))},
		{
			name: "index scaling unknown", rule: gsiWCUBelowBase, table: base(fixed(10, 100), withGSIs(index(10, 5, unresolvedScaling("not part of DescribeTable")))),
			skips: []string{"byMail: auto scaling of write capacity"},
		},
		{
			name: "mode unknown", rule: gsiWCUBelowBase, table: base(fixed(10, 100), withGSIs(index(10, 5, table.AutoScaling{})), func(t *table.Table) { t.Billing = un[string]("var.m") }),
			skips: []string{"billing mode"},
		},
	} {
		c.run(t)
	}
}

func TestGlobalTables(t *testing.T) {
	replicas := func(regions ...string) func(*table.Table) {
		return func(t *table.Table) {
			for _, r := range regions {
				t.Replicas.Items = append(t.Replicas.Items, table.Replica{Region: w(r)})
			}
		}
	}
	strong := func(t *table.Table) { t.Consistency = w("STRONG"); t.Region = w("us-east-1") }
	for _, c := range []ruleCase{
		{
			name: "O23 5/5 and a replica", rule: defGlobaltableCapacity, table: base(fixed(5, 5), replicas("us-west-2")),
			want: []string{`^error the table is provisioned with 1 replica and its writes have no auto scaling target`},
		},
		{name: "O23 with write scaling", rule: defGlobaltableCapacity, table: base(fixed(5, 5), replicas("us-west-2"), withScaling(scaled(5, 50)))},
		{name: "O23 on-demand", rule: defGlobaltableCapacity, table: base(replicas("us-west-2"))},
		{name: "no replica", rule: defGlobaltableCapacity, table: base(fixed(5, 5))},
		{name: "GlobalTable of one Region", rule: defGlobaltableCapacity, table: base(typed(globalTable), fixed(5, 5), replicas("us-east-1"))},
		{
			name: "GSI does not scale", rule: defGlobaltableCapacity,
			table: base(fixed(5, 5), replicas("us-west-2"), withScaling(scaled(5, 50)), withGSIs(capacityOf(gsi("g", "a:HASH"), 5, 5))),
			want:  []string{`^error global index "g" is provisioned with 1 replica`},
		},
		{
			name: "scaling unknown", rule: defGlobaltableCapacity, table: base(fixed(5, 5), replicas("us-west-2"), withScaling(unresolvedScaling("module.x"))),
			skips: []string{"auto scaling of write capacity (unresolved: module.x)"},
		},
		{name: "replicas unknown", rule: defGlobaltableCapacity, table: base(fixed(5, 5), func(t *table.Table) { t.Replicas.Incomplete = "dynamic" }), skips: []string{"dynamic"}},

		{name: "fine", rule: defMRSCConflict, table: base(strong, replicas("us-east-2", "us-west-2"))},
		{name: "two and a witness", rule: defMRSCConflict, table: base(strong, replicas("us-east-2"), func(t *table.Table) { t.Witnesses = listOf(w("us-west-2")) })},
		{name: "eventual", rule: defMRSCConflict, table: base(replicas("sa-east-1"))},
		{name: "ttl", rule: defMRSCConflict, table: base(strong, replicas("us-east-2", "us-west-2"), func(t *table.Table) {
			t.TTL = table.TTL{Attribute: w("exp"), Enabled: w(true)}
		}), want: []string{`^error .*time to live on "exp"`}},
		{
			name: "lsi", rule: defMRSCConflict, table: base(strong, replicas("us-east-2", "us-west-2"), withLSIs(lsi("l", "id:HASH", "s:RANGE"))),
			want: []string{`^error .*local index "l"`},
		},
		{name: "transaction", rule: defMRSCConflict, table: base(strong, replicas("us-east-2", "us-west-2"), func(t *table.Table) {
			t.Patterns = listOf(&table.Pattern{Name: w("pay"), Operation: w(table.TransactWriteItems)})
		}), want: []string{`^error .*pattern "pay" is a TransactWriteItems`}},
		{name: "Region outside", rule: defMRSCConflict, table: base(strong, replicas("us-east-2", "sa-east-1")), want: []string{`^error .*sa-east-1 is in no region set`}},
		{name: "two sets", rule: defMRSCConflict, table: base(strong, replicas("us-east-2", "eu-west-1")), want: []string{`^error .*eu-west-1 is in another region set than us-east-1`}},
		{
			name: "four Regions", rule: defMRSCConflict, table: base(typed(globalTable), strong, replicas("eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1")),
			want: []string{`^error .*4 replicas and 0 witnesses`},
		},
		{
			name: "own Region unknown", rule: defMRSCConflict, table: base(strong, replicas("us-east-2", "us-west-2"), func(t *table.Table) { t.Region = source.Value[string]{} }),
			skips: []string{"region (not stated)"},
		},
		{name: "mode unknown", rule: defMRSCConflict, table: base(func(t *table.Table) { t.Consistency = un[string]("!Ref C") }), skips: []string{"!Ref C"}},
	} {
		c.run(t)
	}
}

func TestVectorsAndDuplicates(t *testing.T) {
	vectors := func(n int) func(*table.Table) {
		return func(t *table.Table) {
			for i := range n {
				t.Vectors.Items = append(t.Vectors.Items, table.VectorIndex{Name: w("v" + string(rune('a'+i)))})
			}
		}
	}
	replica := gsi("copy", "id:HASH")
	replica.ReadReplica = w(true)
	for _, c := range []ruleCase{
		{name: "on-demand", rule: defVectorMode, table: base(vectors(5))},
		{name: "provisioned", rule: defVectorMode, table: base(fixed(1, 1), vectors(1)), want: []string{`^error vector index "va" is on a provisioned`}},
		{name: "six", rule: defVectorMode, table: base(vectors(6)), want: []string{`^error .*6 vector indexes; the limit is 5`}},
		{name: "mode unknown", rule: defVectorMode, table: base(vectors(1), func(t *table.Table) { t.Billing = un[string]("!If") }), skips: []string{"!If"}},
		{name: "none", rule: defVectorMode, table: base(fixed(1, 1))},
		{name: "search undefined", rule: defVectorMode, table: base(func(t *table.Table) {
			t.Vectors = listOf(table.VectorIndex{Name: w("v"), Search: listOf(w("id"), w("shop"))})
		}), want: []string{`^error vector index "v" searches "shop"`}},

		{
			name: "two GSIs", rule: gsiDuplicate, table: base(withGSIs(gsi("g", "a:HASH", "b:RANGE"), gsi("h", "a:HASH", "b:RANGE"))),
			want: []string{`^warning global index "h" has the same key as global index "g": "a", "b"`},
		},
		{name: "the table", rule: gsiDuplicate, table: base(withGSIs(gsi("g", "id:HASH"))), want: []string{`"g" has the same key as the table: "id"`}},
		{
			name: "a local index", rule: gsiDuplicate, table: base(keyedBy("id:HASH", "s:RANGE"), withLSIs(lsi("l", "id:HASH", "t:RANGE")), withGSIs(gsi("g", "id:HASH", "t:RANGE"))),
			want: []string{`local index "l"`},
		},
		{name: "read replica", rule: gsiDuplicate, table: base(withGSIs(replica))},
		{name: "other order", rule: gsiDuplicate, table: base(withGSIs(gsi("g", "a:HASH", "b:RANGE"), gsi("h", "b:HASH", "a:RANGE")))},
		{name: "prefix only", rule: gsiDuplicate, table: base(withGSIs(gsi("g", "a:HASH", "b:RANGE"), gsi("h", "a:HASH")))},
		{name: "name unknown", rule: gsiDuplicate, table: base(withGSIs(gsi("g", "a:HASH"), gsi("h", "?:HASH"))), skips: []string{"h: key attribute name (unresolved"}},
		{name: "name unknown, shape differs", rule: gsiDuplicate, table: base(withGSIs(gsi("h", "?:HASH", "b:RANGE")))},
		{name: "no GSI", rule: gsiDuplicate, table: base()},
	} {
		c.run(t)
	}
}
