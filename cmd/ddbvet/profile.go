package main

import (
	"os"
	"path/filepath"
	"strings"
)

// profileRegion is the region of the AWS profile in force: AWS_PROFILE or
// "default", in AWS_CONFIG_FILE or ~/.aws/config; "" where none is stated.
func profileRegion(getenv func(string) string) string {
	file := getenv("AWS_CONFIG_FILE")
	if file == "" {
		file = filepath.Join(getenv("HOME"), ".aws", "config")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	profile := getenv("AWS_PROFILE")
	if profile == "" {
		profile = "default"
	}
	return regionIn(string(data), profile)
}

// regionIn finds a profile's region in an AWS configuration file, in which
// every profile but the default one has the word profile before its name.
func regionIn(config, profile string) (region string) {
	inside := false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			head, _, _ = strings.Cut(head, "]")
			words := strings.Fields(head)
			inside = len(words) == 2 && words[0] == "profile" && words[1] == profile ||
				len(words) == 1 && words[0] == profile && profile == "default"
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if inside && ok && strings.TrimSpace(key) == "region" {
			region = strings.TrimSpace(value)
		}
	}
	return region
}
