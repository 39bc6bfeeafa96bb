package report

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// graphView is the explanation graph, laid out in columns from the roots to their effects.
type graphView struct {
	Width, Height int
	Label         string
	Boxes         []boxView
	Edges         []edgeView
	Left          string
}

type boxView struct {
	X, Y, W, H int
	Class, Tip string
	Bar        *barView
	Lines      []lineView
}

type barView struct {
	X, Y, W, H int
	Class      string
}

type lineView struct {
	X, Y        int
	Class, Text string
}

// edgeView is an edge, or a part of one that continues beside the boxes of a column.
type edgeView struct {
	X1, Y1, XM, X2, Y2 int
	Continues          bool // no arrow
}

// Sizes in pixels, and the maximum number of boxes.
const (
	boxW     = 224
	boxGapX  = 50
	boxGapY  = 14
	boxText  = 27 // characters of one line
	maxBoxes = 28
	passH    = 10 // of an edge that passes a column
)

// vertex is a finding or a symptom of the graph.
type vertex struct {
	id, title string
	on        string          // of a symptom: its subject
	finding   *triage.Finding // nil: a symptom
	next      []*vertex
	parents   []*vertex
	column    int
	y         int
	passes    bool // no box: an edge passes the column here
}

// newGraphView draws the explanation graph; nil if nothing explains anything.
func newGraphView(r *triage.Report) *graphView {
	all, left := vertices(r)
	if len(all) == 0 {
		return nil
	}
	reduce(all)
	columns := place(all)
	g := &graphView{Label: fmt.Sprintf("graph of %d causes and symptoms", len(all))}
	if left > 0 {
		g.Left = "and " + wording.Counted(left, "more cause or symptom", "more causes and symptoms") + " (-o json has all)"
	}
	for i, column := range columns {
		y := 1
		for _, v := range column {
			v.y = y
			if v.passes {
				x := 1 + i*(boxW+boxGapX)
				g.Edges = append(g.Edges, edgeView{x, y + passH/2, x + boxW/2, x + boxW, y + passH/2, true})
				y += passH + boxGapY
				continue
			}
			box := newBox(v, 1+i*(boxW+boxGapX))
			g.Boxes = append(g.Boxes, box)
			y += box.H + boxGapY
		}
		g.Height = max(g.Height, y-boxGapY+2)
	}
	g.Width = len(columns)*(boxW+boxGapX) - boxGapX + 2
	for _, v := range slices.Concat(columns...) {
		for _, to := range v.next {
			x1, x2 := 1+v.column*(boxW+boxGapX)+boxW, 1+to.column*(boxW+boxGapX)
			g.Edges = append(g.Edges, edgeView{x1, v.y + height(v)/2, (x1 + x2) / 2, x2, to.y + height(to)/2, to.passes})
		}
	}
	return g
}

// vertices returns the findings and symptoms that have an edge.
func vertices(r *triage.Report) (list []*vertex, left int) {
	byID := map[string]*vertex{}
	for i := range r.Findings {
		f := &r.Findings[i]
		byID[f.Cause] = &vertex{id: f.Cause, title: f.Title, finding: f}
	}
	titles, on := map[string]string{}, map[string][]evidence.Subject{}
	for _, s := range r.Symptoms {
		titles[s.ID] = s.Title
		on[s.ID] = append(on[s.ID], s.Subject)
	}
	var order []*vertex
	seen := map[*vertex]bool{}
	see := func(v *vertex) {
		if !seen[v] {
			seen[v] = true
			order = append(order, v)
		}
	}
	for _, f := range r.Findings {
		from := byID[f.Cause]
		for _, id := range f.Explains {
			to := byID[id]
			if to == nil {
				to = &vertex{id: id, title: titles[id], on: strings.TrimPrefix(whom(on[id]), "Node ")}
				byID[id] = to
			}
			if to == from || slices.Contains(from.next, to) || slices.Contains(to.next, from) {
				continue
			}
			from.next = append(from.next, to)
			see(from)
			see(to)
		}
	}
	kept := order[:min(len(order), maxBoxes)]
	keep := map[*vertex]bool{}
	for _, v := range kept {
		keep[v] = true
	}
	for _, v := range kept {
		v.next = slices.DeleteFunc(v.next, func(to *vertex) bool { return !keep[to] })
	}
	return kept, len(order) - len(kept)
}

// reduce drops the edges that a longer path implies.
func reduce(all []*vertex) {
	for _, v := range all {
		v.next = slices.DeleteFunc(slices.Clone(v.next), func(to *vertex) bool {
			return slices.ContainsFunc(v.next, func(between *vertex) bool { return between != to && reaches(between, to, len(all)) })
		})
	}
	for _, v := range all {
		for _, to := range v.next {
			to.parents = append(to.parents, v)
		}
	}
}

func reaches(from, to *vertex, depth int) bool {
	return depth > 0 && slices.ContainsFunc(from.next, func(v *vertex) bool { return v == to || reaches(v, to, depth-1) })
}

// place puts each vertex into the column after the last of its parents, and orders columns by their parents.
func place(all []*vertex) [][]*vertex {
	var columns [][]*vertex
	for range all { // as many rounds as the longest path can have edges
		moved := false
		for _, v := range all {
			for _, to := range v.next {
				if to.column <= v.column && v.column+1 < len(all) {
					to.column = v.column + 1
					moved = true
				}
			}
		}
		if !moved {
			break
		}
	}
	all = passed(all)
	rank := map[*vertex]float64{}
	for i, v := range all {
		for len(columns) <= v.column {
			columns = append(columns, nil)
		}
		columns[v.column] = append(columns[v.column], v)
		rank[v] = float64(i)
	}
	for _, column := range columns[1:] {
		for _, v := range column {
			sum := 0.0
			for _, p := range v.parents {
				sum += rank[p]
			}
			rank[v] = sum / float64(max(len(v.parents), 1))
		}
		sort.SliceStable(column, func(i, j int) bool { return rank[column[i]] < rank[column[j]] })
		for i, v := range column {
			rank[v] = float64(i)
		}
	}
	return columns
}

// passed adds a vertex in each column that an edge passes, so that no edge crosses a box.
func passed(all []*vertex) []*vertex {
	out := slices.Clone(all)
	for _, v := range all {
		for i, to := range v.next {
			from := v
			for column := v.column + 1; column < to.column; column++ {
				p := &vertex{column: column, passes: true, parents: []*vertex{from}}
				if from == v {
					v.next[i] = p
				} else {
					from.next = []*vertex{p}
				}
				out = append(out, p)
				from = p
			}
			if from != v {
				from.next = []*vertex{to}
				to.parents[slices.Index(to.parents, v)] = from
			}
		}
	}
	return out
}

func boxLines(v *vertex) []string {
	title := v.title
	if title == "" {
		title = v.id
	}
	return breakLines(title, boxText, 2)
}

func height(v *vertex) int {
	if v.passes {
		return passH
	}
	return 30 + 17*len(boxLines(v))
}

func newBox(v *vertex, x int) boxView {
	b := boxView{X: x, Y: v.y, W: boxW, H: height(v), Class: "symptom", Tip: v.title + " (" + v.id + ")"}
	for i, text := range boxLines(v) {
		b.Lines = append(b.Lines, lineView{X: x + 14, Y: v.y + 20 + 17*i, Text: text})
	}
	sub := v.id
	if v.finding != nil {
		b.Class = "cause"
		if len(v.parents) == 0 {
			b.Class = "root"
		}
		b.Bar = &barView{X: x, Y: v.y, W: 5, H: b.H, Class: severityClass(v.finding.Severity)}
		b.Tip += ": " + v.finding.Summary
		sub += ", " + string(v.finding.Certainty)
	} else if v.on != "" {
		sub += ", " + v.on
	}
	b.Lines = append(b.Lines, lineView{X: x + 14, Y: v.y + b.H - 10, Class: "small", Text: shorten(sub, 36)})
	return b
}
