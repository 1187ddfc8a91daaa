package cfn

import (
	"fmt"
	"strings"

	"ddbvet/internal/load/near"
)

// The properties of the resources, as the CloudFormation reference lists them
// (2026-04); a name that is close to one of them is taken for a slip. A name
// that is close to none may be newer than this list and is passed over.
var (
	resourceNames = strings.Fields(`Type Properties Condition DependsOn DeletionPolicy UpdateReplacePolicy
		Metadata CreationPolicy UpdatePolicy Connectors IgnoreGlobals`)
	tableNames = strings.Fields(`AttributeDefinitions BillingMode ContributorInsightsSpecification
		DeletionProtectionEnabled GlobalSecondaryIndexes ImportSourceSpecification KeySchema
		KinesisStreamSpecification LocalSecondaryIndexes OnDemandThroughput PointInTimeRecoverySpecification
		ProvisionedThroughput ResourcePolicy SSESpecification StreamSpecification TableClass TableName Tags
		TimeToLiveSpecification VectorIndexes WarmThroughput`)
	globalTableNames = strings.Fields(`AttributeDefinitions BillingMode GlobalSecondaryIndexes
		GlobalTableSettingsReplicationMode GlobalTableSourceArn GlobalTableWitnesses KeySchema
		LocalSecondaryIndexes MultiRegionConsistency ReadOnDemandThroughputSettings
		ReadProvisionedThroughputSettings Replicas SSESpecification StreamSpecification TableName
		TimeToLiveSpecification VectorIndexes WarmThroughput WriteOnDemandThroughputSettings
		WriteProvisionedThroughputSettings`)
	// What a global table has in each replica and not at its top.
	replicaNames = strings.Fields(`ContributorInsightsSpecification DeletionProtectionEnabled
		GlobalSecondaryIndexes KinesisStreamSpecification PointInTimeRecoverySpecification
		ReadOnDemandThroughputSettings ReadProvisionedThroughputSettings Region ReplicaStreamSpecification
		ResourcePolicy SSESpecification TableClass Tags GlobalTableSettingsReplicationMode`)
	replicaIndexNames = strings.Fields(`ContributorInsightsSpecification IndexName
		ReadOnDemandThroughputSettings ReadProvisionedThroughputSettings`)
	simpleTableNames = strings.Fields(`PointInTimeRecoverySpecification PrimaryKey ProvisionedThroughput
		SSESpecification TableName Tags`)
	indexNames = strings.Fields(`ContributorInsightsSpecification IndexName KeySchema OnDemandThroughput
		Projection ProvisionedThroughput WarmThroughput`)
	globalIndexNames = strings.Fields(`IndexName KeySchema Projection ReadOnDemandThroughputSettings
		ReadProvisionedThroughputSettings WarmThroughput WriteOnDemandThroughputSettings
		WriteProvisionedThroughputSettings`)
	localIndexNames  = strings.Fields(`IndexName KeySchema Projection`)
	keyNames         = strings.Fields(`AttributeName KeyType`)
	definitionNames  = strings.Fields(`AttributeName AttributeType`)
	projectionNames  = strings.Fields(`NonKeyAttributes ProjectionType`)
	throughputNames  = strings.Fields(`ReadCapacityUnits WriteCapacityUnits`)
	onDemandNames    = strings.Fields(`MaxReadRequestUnits MaxWriteRequestUnits`)
	warmNames        = strings.Fields(`ReadUnitsPerSecond WriteUnitsPerSecond`)
	ttlNames         = strings.Fields(`AttributeName Enabled`)
	streamNames      = strings.Fields(`ResourcePolicy StreamViewType`)
	pitrNames        = strings.Fields(`PointInTimeRecoveryEnabled RecoveryPeriodInDays`)
	sseNames         = strings.Fields(`KMSMasterKeyId SSEEnabled SSEType`)
	readSettingNames = strings.Fields(`ReadCapacityAutoScalingSettings ReadCapacityUnits`)
	scalingNames     = strings.Fields(`MaxCapacity MinCapacity SeedCapacity TargetTrackingScalingPolicyConfiguration`)
)

func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	return fmt.Sprintf("%q", s)
}

// didYouMean is "; did you mean …" or "".
func didYouMean(name string, known []string) string {
	if s := nearest(name, known); s != "" {
		return fmt.Sprintf("; did you mean %q", s)
	}
	return ""
}

// nearest returns the known name that name is a slip of, or "".
func nearest(name string, known []string) string {
	best, at := "", 3
	for _, k := range known {
		d := 0
		if !strings.EqualFold(name, k) {
			d = near.Distance(name, k, 2)
		}
		if d < at && d*4 <= len(k) {
			best, at = k, d
		}
	}
	return best
}
