package rules

import (
	"fmt"
	"slices"
)

var streamViews = []string{"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"}

var defStreamViewInvalid = &Rule{
	ID: "def-stream-view-invalid", Severity: Error, Needs: Definition, Check: checkDefStreamViewInvalid,
	Doc: Doc{
		Summary:   "the stream's view type does not exist",
		Why:       "DynamoDB refuses the setting, so the deployment fails.",
		Fix:       "Use KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or NEW_AND_OLD_IMAGES.",
		Threshold: "one of the four view types, in capitals",
		Source:    "DynamoDB API reference: StreamSpecification",
		Since:     "0.1",
		Bad:       "StreamSpecification: {StreamViewType: NEW_AND_OLD_IMAGE}",
		Good:      "StreamSpecification: {StreamViewType: NEW_AND_OLD_IMAGES}",
	},
}

func checkDefStreamViewInvalid(p *Pass) {
	v := p.Table.StreamView
	view, ok := v.Get()
	switch {
	case v.Unresolved():
		p.Skip("", gap("stream view type", v))
	case ok && !slices.Contains(streamViews, view):
		p.Report(Finding{
			At:      v.At,
			Message: fmt.Sprintf("stream view type %q is none of KEYS_ONLY, NEW_IMAGE, OLD_IMAGE and NEW_AND_OLD_IMAGES", view),
		})
	}
}
