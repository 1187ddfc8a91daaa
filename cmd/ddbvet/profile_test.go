package main

import "testing"

func TestRegionOfAProfile(t *testing.T) {
	const config = "# mine\n[default]\nregion = eu-west-1\noutput=json\n[profile dev]\nregion=us-east-2\n[sso-session dev]\nregion = sa-east-1\n"
	for profile, want := range map[string]string{"default": "eu-west-1", "dev": "us-east-2", "other": ""} {
		if got := regionIn(config, profile); got != want {
			t.Errorf("%s: got %q, want %q", profile, got, want)
		}
	}
}
