package load

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"unicode/utf16"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
)

// form is what a file looks like before it is parsed.
type form int

const (
	unknownForm form = iota
	emptyForm
	binaryForm
	utf16Form
	designForm
	configForm // .ddbvet.toml
	jsonForm
	yamlForm
	terraformForm
	metricsForm
)

// MetricsHeader is the first line of a metrics file.
const MetricsHeader = "timestamp,table,index,metric,statistic,period,value"

var (
	designTable  = regexp.MustCompile(`(?m)^[ \t]*\[\[[ \t]*"?(?:table|access_pattern)"?[ \t]*(?:\]\]|\.)`)
	designSchema = regexp.MustCompile(`(?m)^[ \t]*"?schema"?[ \t]*=[ \t]*[0-9]`)
	hclBlock     = regexp.MustCompile(`(?m)^[ \t]*(?:resource|data)[ \t]+"[a-z0-9_]+"[ \t]+"|^[ \t]*(?:terraform|module[ \t]+"[^"]+"|variable[ \t]+"[^"]+"|provider[ \t]+"[^"]+")[ \t]*\{`)
	yamlKey      = regexp.MustCompile(`(?m)^"?[A-Za-z][A-Za-z0-9_-]*"?[ \t]*:(?:[ \t\r]|$)`)
)

// sniff tells a file's form by its content; the name decides only where the
// content leaves it open.
func sniff(name string, data []byte) form {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	isDesign := strings.HasSuffix(base, ".ddb.toml")
	switch {
	case node.UTF16(data) != "":
		return utf16Form
	case bytes.IndexByte(data[:min(len(data), 8192)], 0) >= 0:
		return binaryForm
	case isDesign:
		return designForm
	case len(bytes.TrimSpace(text)) == 0:
		return emptyForm
	case base == ".ddbvet.toml":
		return configForm
	case strings.HasSuffix(base, ".tf"):
		return terraformForm
	}
	return sniffText(base, text)
}

func sniffText(base string, text []byte) form {
	ext := path.Ext(base)
	switch first := bytes.TrimSpace(text)[0]; {
	case bytes.HasPrefix(text, []byte(MetricsHeader)):
		return metricsForm
	case first == '{', first == '[' && ext == ".json":
		return jsonForm
	case ext == ".toml":
		return designForm
	case ext == ".yaml" || ext == ".yml":
		return yamlForm
	case ext == ".json":
		return jsonForm
	case designTable.Match(text) || designSchema.Match(text):
		return designForm
	case hclBlock.Match(text):
		return terraformForm
	case first == '[':
		return jsonForm
	case bytes.HasPrefix(text, []byte("---")) || yamlKey.Match(text):
		return yamlForm
	}
	return unknownForm
}

// tableMarks are words of which a file that describes a table in a known
// format has at least one.
var tableMarks = [][]byte{
	[]byte("AWS::DynamoDB::"), []byte("AWS::Serverless::SimpleTable"), []byte("Custom::DynamoDBReplica"),
	[]byte("KeySchema"), []byte("TableDescription"),
	[]byte("aws_dynamodb_table"), []byte("DataModel"),
}

// hasTableMark tells whether a file can be one that describes tables. In a
// folder the others are passed over without being parsed.
func hasTableMark(data []byte) bool {
	for _, m := range tableMarks {
		if bytes.Contains(data, m) {
			return true
		}
	}
	return false
}

// serviceKeys are the keys without which nothing is a service of the
// Serverless Framework that describes resources.
var serviceKeys = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^[ \t{]*"?service"?[ \t]*:`),
	regexp.MustCompile(`(?m)[{,"]?[ \t]*"?provider"?[ \t]*:`),
	regexp.MustCompile(`(?m)[{,"]?[ \t]*"?resources"?[ \t]*:`),
}

// mayDescribe tells whether a YAML or JSON file of a folder is parsed. A
// service often has its tables in other files alone.
func mayDescribe(f *source.File) bool {
	if hasTableMark(f.Data) {
		return true
	}
	if !strings.HasPrefix(path.Base(strings.ReplaceAll(f.Name, `\`, "/")), "serverless") {
		return false
	}
	for _, k := range serviceKeys {
		if !k.Match(f.Data) {
			return false
		}
	}
	return true
}

// isDesign tells a design file from the TOML files of other programs.
func isDesign(name string, data []byte) bool {
	return strings.HasSuffix(name, ".ddb.toml") || designTable.Match(data) && designSchema.Match(data)
}

// plain is the UTF-8 text of a UTF-16 file, for sniffing alone.
func plain(data []byte) []byte {
	big := strings.Contains(node.UTF16(data), "big")
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		lo, hi := data[i], data[i+1]
		if big {
			lo, hi = hi, lo
		}
		units = append(units, uint16(lo)|uint16(hi)<<8)
	}
	return []byte(strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff"))
}
