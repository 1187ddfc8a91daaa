package serverless

import "ddbvet/internal/table"

// doubtPlugins makes what a plugin may set when deploying unresolved, where the
// template does not state it: a table is not known to have no auto scaling
// where a plugin is there to add it.
func (r *resolver) doubtPlugins(tables []*table.Table) {
	for _, p := range r.plugins() {
		for _, t := range tables {
			if changes(p.Text, "autoscaling") {
				t.Scaling.Read, t.Scaling.Write = doubt(t.Scaling.Read, p), doubt(t.Scaling.Write, p)
				for _, ix := range t.GSIs.Items {
					ix.Scaling.Read, ix.Scaling.Write = doubt(ix.Scaling.Read, p), doubt(ix.Scaling.Write, p)
				}
			}
			if changes(p.Text, "pitr") {
				t.PITR = doubt(t.PITR, p)
			}
			if changes(p.Text, "ttl") {
				t.TTL.Attribute, t.TTL.Enabled = doubt(t.TTL.Attribute, p), doubt(t.TTL.Enabled, p)
			}
			if changes(p.Text, "global") && t.Replicas.Incomplete == "" {
				t.Replicas.Incomplete = "plugin " + p.Text + " may add replicas"
			}
		}
	}
}
