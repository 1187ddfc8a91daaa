package profile

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The exact vectors of the measured form (facts section 1).
func TestNumberSizeFacts1(t *testing.T) {
	for s, want := range map[string]int{
		"0": 1, "-0": 1, "0.000": 1, "0E999": 1,
		"1": 2, "12": 2, "123": 3, "1234": 3, "12345": 4, "123456": 4, "1234567": 5, "123456789": 6,
		"1234567890123456789": 11, "12345678901234567890123456789012345678": 20,
		"0042": 2, "100": 2, "1010": 3, "0.0000001": 2, "1E125": 2, "1E-100": 2, "1.5": 3, "1.200": 3,
		"1.234": 4, "3.14159": 5, "100.5": 4, "0.15": 2, "15": 2, "0.015": 2,
		"-42": 3, "-12345": 5, "-1E125": 3, "-0.15": 3,
		"+7": 2, ".5": 2, "5.": 2, "1e+2": 2,
	} {
		if got, err := NumberSize(s); err != nil || got != want {
			t.Errorf("NumberSize(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
}

func TestNumberSizeErrors(t *testing.T) {
	for s, want := range map[string]string{
		"": "not a decimal", "-": "not a decimal", ".": "not a decimal", "1e": "not a decimal", "1e+": "not a decimal",
		"0x10": "not a decimal", "1_000": "not a decimal", " 1": "not a decimal", "NaN": "not a decimal", //nolint:gocritic // a space before a number is the case
		"Infinity": "not a decimal", "1.2.3": "not a decimal", "--1": "not a decimal", "e5": "not a decimal", "٣": "not a decimal",
		"123456789012345678901234567890123456789": "39 significant digits, at most 38",
		"1E126": "beyond", "1E99999999999999999999": "beyond", "1E-131": "closer to zero", "1E-99999999999999999999": "closer to zero",
	} {
		if _, err := NumberSize(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NumberSize(%q): error %v, want one with %q", s, err, want)
		}
	}
	for _, s := range []string{"9.9999999999999999999999999999999999999E+125", "1E-130"} {
		if _, err := NumberSize(s); err != nil {
			t.Errorf("NumberSize(%q): %v, want it accepted: the last in range", s, err)
		}
	}
}

func TestItemSize(t *testing.T) {
	for _, c := range []struct {
		id, item string
		want     int
	}{
		{"facts 9.1", `{"shirt-color":{"S":"R"},"shirt-size":{"S":"M"}}`, 23},
		// By hand: 5 + 19 + 18 + 18 + 7 + 26 + 11 + 14 + 19.
		{"ddb-calc README item, 137 B", `{"Id":{"N":"101"},"Title":{"S":"Book 101 Title"},"ISBN":{"S":"111-1111111111"},
			"Authors":{"L":[{"S":"Author1"}]},"Price":{"N":"2"},"Dimensions":{"S":"8.5 x 11.0 x 0.5"},"PageCount":{"N":"500"},
			"InPublication":{"BOOL":true},"ProductCategory":{"S":"Book"}}`, 137},
		{"ddb-calc empty map", `{"a":{"M":{}}}`, 4},
		{"ddb-calc empty list", `{"a":{"L":[]}}`, 4},
		{"ddb-calc zero", `{"a":{"N":"0"}}`, 2},
		{"ddb-calc negative", `{"a":{"N":"-123.45"}}`, 6},
		{"ddb-calc 38 digits", `{"a":{"N":"12345678901234567890123456789012345678"}}`, 21},
		{"ddb-calc true", `{"a":{"BOOL":true}}`, 2},
		{"ddb-calc null", `{"a":{"NULL":true}}`, 2},
		{"ddb-calc binary", `{"a":{"B":"AQID"}}`, 4},
		{"ddb-calc emoji", `{"a":{"S":"😀"}}`, 5},
		{"ddb-calc emoji as surrogates", `{"a":{"S":"\ud83d\ude00"}}`, 5},
		{"ddb-calc string set", `{"a":{"SS":["a","bb"]}}`, 4},
		{"ddb-calc number set", `{"a":{"NS":["1","22"]}}`, 5},
		{"binary set", `{"a":{"BS":["AQID","AQ=="]}}`, 5},
		{"ddb-calc nested", `{"a":{"M":{"b":{"L":[{"N":"1"}]}}}}`, 12},
		{"list elements", `{"a":{"L":[{"S":"xy"},{"BOOL":false}]}}`, 1 + 3 + (1 + 2) + (1 + 1)},
		{"map entries", `{"a":{"M":{"kk":{"S":"xy"},"é":{"NULL":true}}}}`, 1 + 3 + (1 + 2 + 2) + (1 + 2 + 1)},
		{"empty string", `{"a":{"S":""}}`, 1},
		{"no attributes", `{}`, 0},
	} {
		if got, err := ItemSize([]byte(c.item)); err != nil || got != c.want {
			t.Errorf("%s: ItemSize(%s) = %d, %v; want %d", c.id, c.item, got, err, c.want)
		}
	}
}

// O11: 20 attributes of 19 KB with names of 200 characters are 96 % of the
// limit though no attribute is near it.
func TestItemSizeO11(t *testing.T) {
	var item Item
	for i := range 20 {
		item = append(item, Attribute{fmt.Sprintf("%0200d", i), Value{Type: "S", Text: strings.Repeat("x", 19*1024)}})
	}
	got, err := item.Size()
	if err != nil || got != 393_120 {
		t.Fatalf("size %d, %v; want 393,120", got, err)
	}
	if share := 100 * got / MaxItemBytes; share != 95 { // 95.98 %
		t.Errorf("share %d %% of the limit, want 95 and a fraction", share)
	}
}

func TestDecodeErrors(t *testing.T) {
	deep := strings.Repeat(`{"L":[`, 33) + strings.Repeat(`]}`, 33)
	for item, want := range map[string]string{
		``: "unexpected EOF", `null`: "null, expected {", `[]`: "[, expected {", `{"a":1}`: `number "1", expected {`,
		`{"a":{}}`:                                 "without a type",
		`{"a":{"S":"x","N":"1"}}`:                  "more than one type",
		`{"a":{"X":"x"}}`:                          `attribute "a": "X": not a type`,
		`{"a":{"N":1}}`:                            `expected a string`,
		`{"a":{"N":"one"}}`:                        `number "one" is not a decimal number`,
		`{"a":{"BOOL":"true"}}`:                    `expected true or false`,
		`{"a":{"NULL":false}}`:                     `false, expected true`,
		`{"a":{"B":"?"}}`:                          `is not base64`,
		`{"a":{"SS":[]}}`:                          `an empty set`,
		`{"a":{"SS":["x","x"]}}`:                   `element 1: is in the set twice`,
		`{"a":{"NS":["1","1.0"]}}`:                 `element 1: is in the set twice`,
		`{"a":{"S":"x"},"a":{"S":"y"}}`:            `attribute "a" is given twice`,
		`{"a":{"M":{"k":{"S":"x"},"k":{"S":""}}}}`: `attribute "k" is given twice`,
		`{"a":{"S":"x"}} {}`:                       `more text after the item`,
		`{"a":{"S":"x"}`:                           `unexpected EOF`,
		`{"a":` + deep + `}`:                       `nested over 32 deep`,
		"{\"a\":{\"S\":\"\xff\"}}":                 `not valid UTF-8`,
	} {
		if _, err := ItemSize([]byte(item)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ItemSize(%.60s): error %v, want one with %q", item, err, want)
		}
	}
	if _, err := ItemSize([]byte(`{"a":` + strings.Repeat(`{"L":[`, 32) + strings.Repeat(`]}`, 32) + `}`)); err != nil {
		t.Errorf("32 deep: %v, want it accepted", err)
	}
}

// Zeros that do not change a number do not change its size.
func TestNumberSizeIgnoresOuterZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		plain := strconv.FormatInt(n, 10)
		want, err := NumberSize(plain)
		if err != nil {
			t.Fatal(err)
		}
		sign, digits := "", plain
		if n < 0 {
			sign, digits = "-", plain[1:]
		}
		for _, s := range []string{sign + "000" + digits, plain + ".000", plain + "E0", plain + "000E-3"} {
			if got, err := NumberSize(s); err != nil || got != want {
				t.Fatalf("NumberSize(%q) = %d, %v; NumberSize(%q) = %d", s, got, err, plain, want)
			}
		}
	})
}

// FuzzItemSize: any input gives a size or an error, never a panic; a size is
// at least that of the names and no more than a few times the text.
func FuzzItemSize(f *testing.F) {
	for _, s := range []string{
		`{"shirt-color":{"S":"R"},"n":{"N":"-1.5e3"},"b":{"B":"AQID"}}`,
		`{"m":{"M":{"l":{"L":[{"NULL":true},{"BOOL":false},{"NS":["1","2"]}]}}}}`,
		`{"s":{"SS":["a"]},"bs":{"BS":["AA=="]}}`, `{"a":{"S":"\ud800"}}`, `[`, `{"a":{"N":"1E126"}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		item, err := Decode(data)
		if err != nil {
			return
		}
		n, err := item.Size()
		if err != nil {
			t.Fatalf("decoded %q but no size: %v", data, err)
		}
		if n < 0 || n > 4*len(data) {
			t.Fatalf("size %d of %d bytes of text", n, len(data))
		}
	})
}

func FuzzNumberSize(f *testing.F) {
	for _, s := range []string{"0", "-12.50E+3", ".5", "1E125", "1e-130", "٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := NumberSize(s); err == nil && (n < 1 || n > 22) {
			t.Fatalf("NumberSize(%q) = %d, want 1 to 22", s, n)
		}
	})
}
