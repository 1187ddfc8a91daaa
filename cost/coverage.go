package cost

import (
	"slices"
	"time"
)

// nearlyAll is the share of minutes that counts as all: CloudWatch now and
// then loses some.
const nearlyAll = 0.95

// finePeriod is the coarsest period, in seconds, that can show what the burst
// bucket cannot hide: the bucket itself covers 300 s.
const finePeriod = 300

// Coverage is how much of the window is known for every series at once.
type Coverage struct {
	From, To      time.Time
	Days          float64 // known minutes of the least known series / 1,440
	Share         float64 // known minutes of the window, 0 to 1, all series at once
	FullDays      int     // 24 h blocks from the start of which at least 95 % is known
	FineDays      int     // of those, blocks from points of 300 s or less
	WholeWeeks    int     // newest whole weeks, of which money is scaled to a month
	PeriodSeconds int     // period that most minutes come from
	Coarsest      int     // coarsest period used, seconds
	Weekdays      []time.Weekday
}

// Every tells whether every weekday is covered.
func (c Coverage) Every() bool { return len(c.Weekdays) == 7 }

func coverageOf(d *Demand) Coverage {
	c := Coverage{From: time.Unix(d.Start, 0).UTC(), To: time.Unix(d.Start+int64(d.Minutes)*60, 0).UTC()}
	known := d.jointlyKnown()
	least, total := d.Minutes, 0
	for _, r := range d.Resources {
		least = min(least, r.Read.Known, r.Write.Known)
	}
	for _, k := range known {
		if k {
			total++
		}
	}
	c.Days = float64(least) / minutesPerDay
	c.Share = float64(total) / float64(d.Minutes)
	c.FullDays = fullDays(known)
	c.PeriodSeconds, c.Coarsest = d.periods()
	c.FineDays = min(c.FullDays, int(float64(d.fineMinutes())/(nearlyAll*minutesPerDay)))
	c.Weekdays = weekdays(known, d.Start)
	if c.FullDays >= 7 {
		c.WholeWeeks = d.Minutes / minutesPerWeek
	}
	return c
}

// longest is the known minutes of the best known series.
func (d *Demand) longest() (n int) {
	for _, r := range d.Resources {
		n = max(n, r.Read.Known, r.Write.Known)
	}
	return n
}

// jointlyKnown marks the minutes in which every series is known.
func (d *Demand) jointlyKnown() []bool {
	known := make([]bool, d.Minutes)
	for i := range known {
		known[i] = true
	}
	for _, r := range d.Resources {
		for _, s := range []*SeriesDemand{&r.Read, &r.Write} {
			for i := range known {
				known[i] = known[i] && s.Units != nil && s.Units[i] == s.Units[i]
			}
		}
	}
	return known
}

func fullDays(known []bool) (days int) {
	for from := 0; from+minutesPerDay <= len(known); from += minutesPerDay {
		n := 0
		for _, k := range known[from : from+minutesPerDay] {
			if k {
				n++
			}
		}
		if float64(n) >= nearlyAll*minutesPerDay {
			days++
		}
	}
	return days
}

// periods are the commonest and the coarsest period of all series.
func (d *Demand) periods() (commonest, coarsest int) {
	minutes := map[int]int{}
	for _, r := range d.Resources {
		for _, p := range slices.Concat(r.Read.Periods, r.Write.Periods) {
			minutes[p.Seconds] += p.Minutes
			coarsest = max(coarsest, p.Seconds)
			if n, best := minutes[p.Seconds], minutes[commonest]; n > best || n == best && p.Seconds > commonest {
				commonest = p.Seconds
			}
		}
	}
	return commonest, coarsest
}

// fineMinutes is the least number of minutes any series has from fine points.
func (d *Demand) fineMinutes() int {
	least := d.Minutes
	for _, r := range d.Resources {
		for _, s := range []*SeriesDemand{&r.Read, &r.Write} {
			fine := 0
			for _, p := range s.Periods {
				if p.Seconds <= finePeriod {
					fine += p.Minutes
				}
			}
			least = min(least, fine)
		}
	}
	return least
}

// weekdays are those of which nearly every minute of the day is known at
// least once.
func weekdays(known []bool, start int64) (out []time.Weekday) {
	var seen [7][minutesPerDay]bool
	day := int(time.Unix(start, 0).UTC().Weekday())
	minute := int(start % (minutesPerDay * 60) / 60)
	for _, k := range known {
		if k {
			seen[day][minute] = true
		}
		if minute++; minute == minutesPerDay {
			minute, day = 0, (day+1)%7
		}
	}
	for d := range seen {
		n := 0
		for _, s := range seen[d] {
			if s {
				n++
			}
		}
		if float64(n) >= nearlyAll*minutesPerDay {
			out = append(out, time.Weekday(d))
		}
	}
	return out
}
