"""Where the boxes and arrows of a diagram go. Pure geometry: no Qt, no colours, no fonts.

`arrange.arrange` is the entry. What is promised:

* the same input gives the same layout;
* no two boxes overlap, and every node stands in exactly one box;
* arrows point down, in the backward lane of a joint graph up; what cannot (edges that close a cycle, that cross
  lanes, or that span many rows) is cut into a pair of stubs;
* the inside of a module is laid out from its own nodes alone: expanding or editing another module moves it as a
  whole and changes nothing in it. Rows keep their first order from the order of the diagram's nodes.
"""
