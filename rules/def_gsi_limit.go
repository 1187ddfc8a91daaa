package rules

import "fmt"

// gsiQuota is the default and adjustable number of GSIs a table;
// gsiQuotaNear is 80 % of it.
const (
	gsiQuota     = 20
	gsiQuotaNear = 16
)

var defGSILimit = &Rule{
	ID: "def-gsi-limit", Severity: Error, Needs: Definition, Check: checkDefGSILimit,
	Doc: Doc{
		Summary:   "the table has more global secondary indexes than the default quota, or nearly so",
		Why:       "The deployment fails at the twenty-first index unless AWS has raised the account's quota.",
		Fix:       "Merge or drop indexes, or have the quota raised and state it in the configuration.",
		Threshold: "over 20 is an error, 16 and more a warning (80 %)",
		Source:    "DynamoDB developer guide: ServiceQuotas (secondary indexes per table)",
		Since:     "0.1",
		Bad:       "# twenty-one [[table.gsi]] blocks in one table",
		Good:      "# up to fifteen [[table.gsi]] blocks in one table",
	},
}

func checkDefGSILimit(p *Pass) {
	items := p.Table.GSIs.Items
	n := len(items)
	if n <= gsiQuota && !p.Table.GSIs.Complete() {
		p.Skip("", listGaps("gsis", p.Table.GSIs)...)
	}
	numbers := []Number{{"gsis", float64(n)}, {"limit", gsiQuota}}
	switch {
	case n > gsiQuota:
		p.Report(Finding{
			At:      items[gsiQuota].At,
			Message: fmt.Sprintf("the table has %d global secondary indexes, over the default quota of %d", n, gsiQuota),
			Numbers: numbers,
		})
	case n >= gsiQuotaNear:
		p.Report(Finding{
			Severity: Warning, At: items[gsiQuotaNear-1].At,
			Message: fmt.Sprintf("the table has %d global secondary indexes, at or over 80 %% of the default quota of %d", n, gsiQuota),
			Numbers: numbers,
		})
	}
}
