// The search box: reads the list of this language's sections when it is first used.
(function () {
  var box = document.getElementById("search"), list = document.getElementById("found"), all = null;
  if (!box) return;
  window.gunziFound = function (sections) { all = sections; show(); };
  function load() {
    if (all) return;
    var script = document.createElement("script");
    script.src = box.dataset.list;
    document.head.appendChild(script);
    all = [];
  }
  function add(parent, tag, text) {
    var node = document.createElement(tag);
    node.textContent = text;
    parent.appendChild(node);
    return node;
  }
  function show() {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = "";
    list.hidden = !words.length;
    if (!words.length || !all) return;
    var hits = [];
    all.forEach(function (section, order) {
      var heading = section[2].toLowerCase(), whole = heading + " " + section[3].toLowerCase();
      if (!words.every(function (word) { return whole.indexOf(word) >= 0; })) return;
      var rank = heading === words.join(" ") ? 0 : words.every(function (word) { return heading.indexOf(word) >= 0; }) ? 1 : 2;
      hits.push([rank, order, section]);
    });
    hits.sort(function (a, b) { return a[0] - b[0] || a[1] - b[1]; });
    hits.slice(0, 30).forEach(function (hit) {
      var section = hit[2], link = add(list, "a", "");
      link.href = box.dataset.base.replace(/\/?$/, "/") + section[0];
      add(link, "b", section[2]);
      add(link, "i", section[1] === section[2] ? "" : section[1]);
      var at = Math.max(0, section[3].toLowerCase().indexOf(words[0]) - 30);
      add(link, "span", (at ? "…" : "") + section[3].substr(at, 110));
    });
    if (!hits.length) add(list, "p", box.dataset.none);
  }
  box.addEventListener("focus", load);
  box.addEventListener("input", function () { load(); show(); });
  document.addEventListener("click", function (event) { if (!box.parentNode.contains(event.target)) list.hidden = true; });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") list.hidden = true;
    if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) { event.preventDefault(); box.focus(); }
  });
})();
