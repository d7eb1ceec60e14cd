"use strict";
// The page of a report. What the other scripts hand over is shown as text and drawn; nothing is
// ever taken for markup. Times are seconds of the original.
const tapedeck = (() => {
  const top = document.documentElement.dataset.top;
  const plainHeight = 108, notedHeight = 132, gap = 8, perDrawing = 50, lowDecibels = 15;
  const states = [
    ["failed", "failed", row => row.state === "failed"],
    ["warned", "with warnings", row => row.warned],
    ["silent", "silent", row => row.silent],
    ["clipped", "clipped", row => row.clipped > 0],
    ["noisy", "low SNR", row => row.signalToNoise !== undefined
      && row.signalToNoise < lowDecibels],
    ["missing", "gone", row => row.state === "missing"],
  ];
  const orders = {
    name: ["Name", row => row.index],
    date: ["Newest first", row => -recorded(row)],
    length: ["Longest first", row => -(row.seconds ?? 0)],
    noise: ["Lowest SNR first", row => row.signalToNoise ?? Infinity],
  };
  // When it was recorded, or else the time of its file.
  const recorded = row => Date.parse(row.metadata?.recordedAt) || (row.modified ?? 0) * 1000;
  let all = [], shown = [], folders = [];
  let open = null, openHeight = 400, playing = null, focused = null, problem = null;
  // Where each shown row begins, and where the last one ends.
  let offsets = [0];
  const elements = new Map(), requested = new Set(), drawings = new Map();
  const view = {};
  const audio = new Audio();
  audio.preload = "metadata";

  // -- Small helpers

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
  }

  function clock(seconds, decimals = 0) {
    const whole = Math.max(0, seconds), minutes = Math.floor(whole / 60);
    const rest = (whole % 60).toFixed(decimals).padStart(decimals ? decimals + 3 : 2, "0");
    const hours = Math.floor(minutes / 60);
    return hours
      ? `${hours}:${String(minutes % 60).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
  }

  function long(seconds) {
    if (seconds < 60) return `${seconds.toFixed(1)} s`;
    const minutes = Math.round(seconds / 60);
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }

  function counted(count, noun) {
    return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  }

  // -- Sound

  // A copy's time in the original, and back.
  function toSource(row, time) {
    for (const [start, end] of drawing(row)?.cuts ?? []) if (time >= start) time += end - start;
    return time;
  }

  function toCopy(row, time) {
    let removed = 0;
    for (const [start, end] of drawing(row)?.cuts ?? []) {
      if (time <= start) break;
      removed += Math.min(time, end) - start;
    }
    return time - removed;
  }

  const isPlayable = (row, kind) => kind === "copy"
    ? row.copy !== undefined && row.copyPlays
    : (row.plays || row.sound) && row.state !== "missing";

  function source(row) {
    const wanted = row.source ?? (isPlayable(row, "file") ? "file" : "copy");
    return isPlayable(row, wanted) ? wanted : null;
  }

  function position(row) {
    if (playing?.row !== row) return row.position ?? 0;
    return playing.kind === "copy" ? toSource(row, audio.currentTime) : audio.currentTime;
  }

  function play(row, time) {
    const kind = source(row);
    problem = null;
    if (!kind) {
      return say(row, row.isNew ? "It can be heard once it has been processed."
        : row.state === "missing" ? "The recording is gone."
          : "No browser plays this format: open the file itself.");
    }
    if (kind === "file" && isOutside(row.file)) {
      return say(row, "The recording lies outside of what this server shows.");
    }
    const start = time ?? position(row);
    if (playing?.row !== row || playing.kind !== kind) {
      stop();
      playing = { row, kind, wanted: null };
      audio.src = kind === "copy" ? row.copy : row.sound ?? row.file;
    }
    seek(start >= (row.seconds ?? Infinity) - 0.05 ? 0 : start);
    audio.play().catch(() => {});
    refresh();
  }

  // Whether a link leads above the top of a web server: there, it would find another file.
  function isOutside(link) {
    const steps = link.split("/").filter(part => part === "..").length;
    return location.protocol !== "file:" && steps > location.pathname.split("/").length - 2;
  }

  function say(row, text) {
    problem = { row, text };
    show(row);
  }

  function stop() {
    if (!playing) return;
    playing.row.position = position(playing.row);
    audio.pause();
    playing = null;
  }

  function seek(time) {
    const { row, kind } = playing;
    row.position = time;
    playing.wanted = kind === "copy" ? toCopy(row, time) : time;
    if (audio.readyState > 0) { audio.currentTime = playing.wanted; playing.wanted = null; }
  }

  function toggle(row) {
    if (playing?.row === row && !audio.paused) audio.pause(); else play(row);
  }

  // The part of a recording that is drawn: all of it, unless it is open and zoomed.
  const range = row => (row === open && row.range) || [0, row.seconds ?? 0];

  function zoom(row, factor) {
    const [start, end] = range(row), whole = row.seconds ?? 0, now = position(row);
    const length = Math.min(whole, Math.max(0.05, (end - start) * factor));
    const middle = now > start && now < end ? now : (start + end) / 2;
    const share = (middle - start) / (end - start);
    pan(row, middle - share * length, length);
  }

  function pan(row, start, length) {
    const whole = row.seconds ?? 0;
    const first = Math.max(0, Math.min(whole - length, start));
    row.range = length >= whole ? null : [first, first + length];
    draw(row);
  }

  // To the next or previous beginning of sound.
  function jump(row, step) {
    const silences = drawing(row)?.silences ?? [], now = position(row);
    const starts = [0, ...silences.map(([, end]) => end)].filter(t => t < (row.seconds ?? 0));
    const next = step > 0
      ? starts.find(t => t > now + 0.05) : starts.findLast(t => t < now - 0.5) ?? 0;
    if (next !== undefined) move(row, next);
  }

  function move(row, time) {
    if (playing?.row === row) seek(time); else row.position = time;
    draw(row);
  }

  audio.addEventListener("loadedmetadata", () => {
    if (playing && playing.wanted !== null) {
      audio.currentTime = playing.wanted;
      playing.wanted = null;
    }
  });
  audio.addEventListener("error", () => {
    if (!playing) return;
    const { row, kind } = playing, isServed = location.protocol.startsWith("http");
    const at = position(row), address = audio.src;
    stop();
    if (eventsAddress) return askWhy(row, kind, address, at);
    say(row, "It cannot be played here: the file is gone, this browser cannot play it"
      + (isServed ? ", or it lies outside of what this server shows." : "."));
  });

  // Asks the server why something is not played; what only this browser cannot play it decodes.
  async function askWhy(row, kind, address, at) {
    const answer = await fetch(address, { headers: { Range: "bytes=0-0" } }).catch(() => null);
    if (!answer) return say(row, silentServer);
    if (!answer.ok) {
      const reason = (await answer.text()).trim().replace(/^.*?: /, "");
      return say(row, `It cannot be played: ${reason}.`);
    }
    if (kind === "file" && !row.sound) {
      row.sound = `${row.file}?wav`;
      return play(row, at);
    }
    say(row, "This browser cannot play it.");
  }
  for (const event of ["play", "pause", "ended"]) audio.addEventListener(event, () => refresh());

  function step() {
    if (playing && !audio.paused) {
      const row = playing.row, [start, end] = range(row), now = position(row);
      if (now > end || now < start) pan(row, now - (end - start) / 10, end - start);
      draw(row);
    }
    requestAnimationFrame(step);
  }

  // -- Drawing

  const drawing = row => row.shape ?? drawings.get(Math.floor(row.index / perDrawing))
    ?.[row.index % perDrawing];

  function request(row) {
    if (eventsAddress) return requestShape(row);
    const number = Math.floor(row.index / perDrawing);
    if (requested.has(number)) return;
    requested.add(number);
    document.head.append(element("script", { src: `report-${number}.js` }));
  }

  // From a server, by itself: there, rows move while the page is open.
  function requestShape(row) {
    if (!row.drawing || row.requested) return;
    const asked = row.requested = row.changed;
    fetch(row.drawing).then(answer => answer.ok ? answer.json() : null).then(shape => {
      if (row.requested !== asked) return;
      row.shape = shape;
      if (shape) draw(row); else row.requested = null;
    }).catch(() => { row.requested = null; });
  }

  function requestDetails(row) {
    if (!row.details || row.detailed) return;
    row.detailed = true;
    document.head.append(element("script", { src: row.details, "data-file": row.file }));
  }

  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const signed = text => Int8Array.from(atob(text), c => c.charCodeAt(0));

  let colours = {};
  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["wave", "played", "silence", "cut", "hatch", "text", "dim", "panel"]) {
      colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  function columns(row) {
    const found = row === open && row.parts?.peaks ? row.parts : drawing(row);
    return found?.peaks ? found.columns ??= signed(found.peaks) : null;
  }

  // Makes a canvas as large as it is shown, and returns what is needed to draw on it.
  function begin(canvas, row) {
    const scale = devicePixelRatio || 1, width = Math.round(canvas.clientWidth * scale);
    const height = Math.round(canvas.clientHeight * scale), [start, end] = range(row);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    const x = time => (time - start) / (end - start) * width;
    return { context, width, height, scale, x, start, end };
  }

  function draw(row) {
    const made = elements.get(row);
    if (!made) return;
    const now = position(row), canvas = made.canvas, length = row.seconds ?? 0;
    made.time.textContent = length ? `${clock(now)} / ${clock(length)}` : "";
    canvas.setAttribute("aria-valuenow", now.toFixed(1));
    canvas.setAttribute("aria-valuetext", `${clock(now)} of ${clock(length)}`);
    const sheet = begin(canvas, row), { context, height, scale, x } = sheet;
    const found = drawing(row);
    if (!found || !length) return;
    context.fillStyle = colours.silence;
    for (const [start, end] of found.silences) {
      context.fillRect(x(start), 0, x(end) - x(start), height);
    }
    for (const [start, end] of found.cuts) hatch(context, x(start), x(end), height, scale);
    const values = columns(row);
    if (values) wave(sheet, values, now, length);
    mark(sheet, now);
    if (row === open && row.parts) {
      spectrum(begin(made.picture, row), row, now);
      curves(begin(made.curves, row), row, now);
    }
  }

  function mark({ context, scale, height, x }, now, colour = colours.text) {
    context.fillStyle = colour;
    if (now > 0) context.fillRect(x(now) - scale / 2, 0, scale, height);
  }

  function hatch(context, left, right, height, scale) {
    context.save();
    context.beginPath();
    context.rect(left, 0, right - left, height);
    context.clip();
    context.fillStyle = colours.cut;
    context.fillRect(left, 0, right - left, height);
    context.strokeStyle = colours.hatch;
    context.globalAlpha = 0.45;
    context.lineWidth = scale;
    context.beginPath();
    for (let at = left - height; at < right; at += 9 * scale) {
      context.moveTo(at, height);
      context.lineTo(at + height, 0);
    }
    context.stroke();
    context.restore();
  }

  function wave({ context, width, height, x, start, end }, values, now, length) {
    const count = values.length / 2, middle = height / 2, played = x(now);
    const perPixel = (end - start) / length * count / width, begin = start / length * count;
    for (let pixel = 0; pixel < width; pixel++) {
      const first = Math.floor(begin + pixel * perPixel);
      const next = Math.min(count, Math.max(first + 1, Math.floor(begin + (pixel + 1) * perPixel)));
      let low = 127, high = -128;
      for (let column = first; column < next; column++) {
        low = Math.min(low, values[2 * column]);
        high = Math.max(high, values[2 * column + 1]);
      }
      context.fillStyle = pixel < played ? colours.played : colours.wave;
      const up = high / 128 * middle, down = low / 128 * middle;
      context.fillRect(pixel, middle - up, 1, Math.max(1, up - down));
    }
  }

  const heat = [[4, 4, 16], [58, 16, 96], [150, 40, 102], [226, 94, 52], [250, 190, 60],
    [252, 252, 190]];

  // The spectrogram as a picture with a pixel for each number.
  function image({ rows, values }) {
    const levels = bytes(values), columns = levels.length / rows;
    const canvas = element("canvas", { width: columns, height: rows });
    const context = canvas.getContext("2d"), data = context.createImageData(columns, rows);
    for (let place = 0; place < levels.length; place++) {
      const share = Math.min(1, levels[place] / 254) * (heat.length - 1);
      const stop = Math.min(heat.length - 2, Math.floor(share)), rest = share - stop;
      const pixel = 4 * ((rows - 1 - place % rows) * columns + Math.floor(place / rows));
      for (let part = 0; part < 3; part++) {
        data.data[pixel + part] = heat[stop][part] * (1 - rest) + heat[stop + 1][part] * rest;
      }
      data.data[pixel + 3] = 255;
    }
    context.putImageData(data, 0, 0);
    return canvas;
  }

  function write({ context, scale }, text, left, top, colour) {
    context.font = `${11 * scale}px system-ui, sans-serif`;
    context.fillStyle = colour;
    context.fillText(text, left * scale, top * scale);
  }

  function spectrum(sheet, row, now) {
    const { context, width, height, start, end, scale } = sheet, found = row.parts.spectrogram;
    if (!found) return;
    const picture = found.image ??= image(found), whole = row.seconds;
    context.drawImage(picture, start / whole * picture.width, 0,
      Math.max(0.01, (end - start) / whole * picture.width), picture.height, 0, 0, width, height);
    for (const hertz of [250, 1000, 4000, 16000]) {
      const band = found.edges.findIndex(edge => edge > hertz);
      if (band < 0) break;
      const text = hertz < 1000 ? `${hertz} Hz` : `${hertz / 1000} kHz`;
      write(sheet, text, 4, height * (1 - band / found.rows) / scale + 4, "#fff");
    }
    mark(sheet, now, "#fff");
  }

  function line({ context, width, scale, start, end }, series, row, top, tall, colour) {
    const values = series.bytes ??= bytes(series.values), whole = row.seconds;
    context.strokeStyle = colour;
    context.lineWidth = 1.2 * scale;
    context.beginPath();
    let isDown = false;
    for (let place = 0; place < values.length; place++) {
      const time = (place + 0.5) / values.length * whole;
      if (time < start - whole / values.length || time > end + whole / values.length) continue;
      if (values[place] === 255) { isDown = false; continue; }
      const x = (time - start) / (end - start) * width;
      const y = top + tall * (1 - values[place] / 254);
      if (isDown) context.lineTo(x, y); else context.moveTo(x, y);
      isDown = true;
    }
    context.stroke();
  }

  // The level over the noise floor, and below it the score over its threshold.
  function curves(sheet, row, now) {
    const { level, floor, score, threshold, scale: unit } = row.parts;
    if (!level) return;
    const tall = sheet.height / 2 - 4 * sheet.scale, below = sheet.height / 2;
    line(sheet, level, row, 0, tall, colours.wave);
    line(sheet, floor, row, 0, tall, colours.played);
    line(sheet, threshold, row, below, tall, colours.hatch);
    line(sheet, score, row, below, tall, colours.wave);
    write(sheet, "level and noise floor, dBFS", 4, 12, colours.dim);
    write(sheet, `score and threshold, ${unit}`, 4, below / sheet.scale + 12, colours.dim);
    mark(sheet, now);
  }

  // -- Rows

  function make(row) {
    const hasSound = row.seconds !== undefined;
    const made = { row };
    made.play = element("button", {
      class: "play", disabled: !hasSound, onclick: () => toggle(row) });
    made.time = element("span", { class: "time" });
    made.name = element("button", {
      class: "name", title: row.name, onclick: () => show(open === row ? null : row),
    }, element("bdi", {}, row.name));
    made.canvas = element("canvas", {
      class: "wave", tabindex: hasSound ? 0 : -1, role: "slider",
      "aria-label": `Position in ${row.name}`, "aria-valuemin": 0,
      "aria-valuemax": (row.seconds ?? 0).toFixed(1), "aria-valuenow": 0,
      onclick: event => {
        if (!hasSound) return;
        jumpTo(event);
      },
      onfocus: () => { focused = row; },
      onwheel: event => {
        if (row !== open || !row.range || Math.abs(event.deltaX) < Math.abs(event.deltaY)) return;
        event.preventDefault();
        const [start, end] = range(row), length = end - start;
        pan(row, start + event.deltaX / made.canvas.clientWidth * length, length);
      },
    });
    const jumpTo = event => {
      const share = event.offsetX / made.canvas.clientWidth, [start, end] = range(row);
      play(row, start + Math.max(0, Math.min(1, share)) * (end - start));
    };
    made.picture = element("canvas", {
      class: "picture", role: "img", "aria-label": `Spectrogram of ${row.name}`,
      onclick: jumpTo });
    made.curves = element("canvas", {
      class: "curves", role: "img", onclick: jumpTo,
      "aria-label": `Level, noise floor and score of ${row.name}` });
    const badges = states.filter(([name, , holds]) => holds(row)).map(([name, label]) =>
      element("span", { class: `badge ${name}` }, label));
    if (row.pending) {
      badges.push(element("span", { class: "badge pending" }, pendingWords[row.pending.state]));
    }
    const tone = row.state === "failed" ? "failed" : row.warned ? "warned" : "";
    made.note = element("p", { class: `note ${tone}`, title: row.notes.join("; ") });
    made.details = element("div", { class: "details" });
    made.element = element("div", { class: "row", role: "listitem" },
      element("div", { class: "head" }, made.play, made.name, ...badges, made.time),
      made.canvas, made.note, made.details);
    return made;
  }

  function facts(row) {
    const decibels = (value, unit) => value === undefined ? null : `${value.toFixed(1)} ${unit}`;
    const { recordedAt, title, recorder, description, tags } = row.metadata ?? {};
    const list = [
      ["Recorded", recordedAt?.replace("T", " ")], ["Title", title], ["Recorder", recorder],
      ["Description", description],
      ["Format", row.format], ["Length", row.seconds && clock(row.seconds, 3)],
      ["Peak", decibels(row.peak, "dBFS")], ["RMS", decibels(row.rms, "dBFS")],
      ["Clipped samples", row.clipped?.toLocaleString("en")],
      ["Noise floor", decibels(row.floor, "dBFS")],
      ["SNR", decibels(row.signalToNoise, "dB")],
      ["Confidence", row.confidence?.toFixed(2)],
      ["Silence", row.silenceSeconds && long(row.silenceSeconds)],
      ["Cut", row.cutSeconds && long(row.cutSeconds)],
      ["File of", row.modified && new Date(row.modified * 1000).toLocaleString()],
      ...Object.entries(tags ?? {}).sort(([one], [other]) => one < other ? -1 : 1),
    ].filter(([, value]) => value);
    return element("dl", { class: "facts" }, ...list.map(([name, value]) =>
      element("div", {}, element("dt", {}, name),
        element("dd", {}, element("bdi", {}, value)))));
  }

  function chooser(made) {
    const row = made.row;
    made.kinds = {};
    const button = (kind, label) => made.kinds[kind] = element("button", {
      disabled: !isPlayable(row, kind),
      onclick: () => {
        const at = position(row), goesOn = playing?.row === row && !audio.paused;
        row.source = kind;
        if (goesOn) play(row, at); else refresh();
      } }, label);
    const links = [
      row.state === "missing" ? null : element("a", { href: row.file }, "open original"),
      row.copy === undefined ? null : element("a", { href: row.copy }, "open copy"),
    ];
    const nearer = (label, text, factor) => element("button", {
      "aria-label": text, onclick: () => zoom(row, factor) }, label);
    return element("div", { class: "switch" }, button("file", "Original"),
      row.copy === undefined ? null : button("copy", "Trimmed copy"), ...links,
      element("span", { class: "zoom" }, nearer("+", "Zoom in", 0.5),
        nearer("−", "Zoom out", 2), nearer("all", "Show all of it", Infinity)));
  }

  // What an open row has below its waveform.
  function inside(made) {
    const notes = made.row.notes.map(note => element("li", {}, note));
    return [made.picture, made.curves, chooser(made), facts(made.row),
      ...(notes.length ? [element("ul", {}, ...notes)] : []),
      element("div", { class: "key" }, "Grey is silence, hatched is cut. Space plays, ← and → go "
        + "from segment to segment, + and − zoom.")];
  }

  function fill(made) {
    const row = made.row, isOpen = open === row;
    const isPlaying = playing?.row === row && !audio.paused;
    made.element.classList.toggle("open", isOpen);
    made.name.setAttribute("aria-expanded", String(isOpen));
    made.play.disabled = row.isNew || (row.state === "failed" && !source(row));
    made.play.textContent = isPlaying ? "❚❚" : "▶";
    made.play.setAttribute("aria-label", `${isPlaying ? "Pause" : "Play"} ${row.name}`);
    const text = problem?.row === row ? problem.text : row.notes.join("; ");
    made.note.textContent = text;
    made.note.hidden = !text || (isOpen && problem?.row !== row);
    made.note.classList.toggle("problem", problem?.row === row);
    if (isOpen) requestDetails(row);
    made.picture.hidden = !row.parts?.spectrogram;
    made.curves.hidden = !row.parts?.level;
    // Made once, as a button that is replaced loses the focus.
    if (isOpen && !made.details.firstChild) made.details.append(...inside(made));
    if (!isOpen) made.details.replaceChildren();
    for (const [kind, button] of Object.entries(isOpen ? made.kinds : {})) {
      button.setAttribute("aria-pressed", String(source(row) === kind));
    }
    made.element.style.height = isOpen ? "auto" : `${height(row)}px`;
    if (isOpen) {
      const measured = made.element.offsetHeight;
      if (measured !== openHeight) { openHeight = measured; place(); }
    }
    draw(row);
  }

  function refresh() { for (const made of elements.values()) fill(made); }

  // -- The list

  const height = row => row === open ? openHeight
    : row.notes.length || problem?.row === row ? notedHeight : plainHeight;

  function place() {
    offsets = [0];
    for (const row of shown) offsets.push(offsets.at(-1) + height(row) + gap);
    view.list.style.height = `${offsets.at(-1)}px`;
    for (const [row, made] of elements) {
      made.element.style.top = `${offsets[shown.indexOf(row)]}px`;
    }
  }

  // The last row that begins at or above a place.
  function rowAt(place) {
    let low = 0, high = shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (offsets[middle + 1] < place) low = middle + 1; else high = middle;
    }
    return low;
  }

  let timer = null;
  function lay() {
    const list = view.list, start = -list.getBoundingClientRect().top;
    const end = start + innerHeight, wanted = new Set();
    const first = rowAt(start - 300);
    for (let index = first; index < shown.length && offsets[index] < end + 300; index++) {
      wanted.add(shown[index]);
    }
    for (const [row, made] of elements) {
      if (!wanted.has(row)) { made.element.remove(); elements.delete(row); }
    }
    // In the order in which they are shown, which is that of Tab and of screen readers.
    let previous = null, index = first;
    for (const row of wanted) {
      let made = elements.get(row);
      if (!made) {
        made = make(row);
        elements.set(row, made);
        if (previous) previous.after(made.element); else list.prepend(made.element);
        fill(made);
      }
      previous = made.element;
      made.element.style.top = `${offsets[index]}px`;
      made.element.setAttribute("aria-setsize", shown.length);
      made.element.setAttribute("aria-posinset", ++index);
    }
    clearTimeout(timer);
    timer = setTimeout(() => { for (const row of elements.keys()) request(row); }, 40);
    for (const row of elements.keys()) draw(row);
  }

  // Opens a row, and closes the one that was open.
  function show(row) {
    open = row ?? null;
    place();
    refresh();
    lay();
  }

  function choose() {
    const text = view.search.value.toLowerCase(), hash = location.hash.slice(1);
    const holds = states.find(([name]) => name === hash)?.[2];
    const key = orders[view.order.value][1];
    shown = all.filter(row => (!holds || holds(row)) && words(row).includes(text));
    shown.sort((one, other) => key(one) - key(other) || one.index - other.index);
    for (const button of view.states.children) {
      button.setAttribute("aria-pressed", String(button.dataset.state === (holds ? hash : "")));
    }
    view.shown.textContent = shown.length === all.length ? counted(all.length, "recording")
      : `${shown.length.toLocaleString("en")} of ${counted(all.length, "recording")}`;
    if (open && !shown.includes(open)) open = null;
    place();
    lay();
  }

  // What a search looks through.
  function words(row) {
    const { title, recorder, description, tags } = row.metadata ?? {};
    return [row.name, title, recorder, description, ...Object.values(tags ?? {})].join("\n")
      .toLowerCase();
  }

  function focus(index) {
    const row = shown[Math.max(0, Math.min(shown.length - 1, index))];
    if (!row) return;
    const at = offsets[shown.indexOf(row)] + view.list.getBoundingClientRect().top;
    if (at < 60 || at + height(row) > innerHeight - 20) scrollBy(0, at - innerHeight / 3);
    lay();
    elements.get(row)?.canvas.focus({ preventScroll: true });
  }

  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = event.target.tagName;
    if (tag === "INPUT" || tag === "SELECT" || tag === "SUMMARY") return;
    if ((tag === "BUTTON" || tag === "A") && [" ", "Enter"].includes(event.key)) return;
    const row = focused && shown.includes(focused) ? focused : playing?.row ?? null;
    const index = row ? shown.indexOf(row) : -1;
    const actions = {
      " ": () => row ? toggle(row) : shown[0] && toggle(shown[0]),
      Enter: () => row && show(open === row ? null : row),
      Escape: () => show(null),
      ArrowRight: () => row && jump(row, 1), ArrowLeft: () => row && jump(row, -1),
      ArrowDown: () => focus(index + 1), ArrowUp: () => focus(index - 1),
      "+": () => row && row === open && zoom(row, 0.5),
      "-": () => row && row === open && zoom(row, 2),
      Home: () => row && move(row, 0), End: () => row && move(row, row.seconds ?? 0),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });

  // -- From a server

  const eventsAddress = document.documentElement.dataset.events;
  const pendingWords = { working: "in work", queued: "queued", waiting: "waiting" };
  const silentServer = "The server does not answer.";
  let told = "", isBuilt = false, isAsking = false;

  // Listens for changes while the page can be seen: browsers allow few connections to a server.
  function listen() {
    let source = null;
    const close = () => { source?.close(); source = null; };
    const begin = () => {
      if (source || document.hidden) return;
      const since = all.reduce((last, row) => Math.max(last, row.changed ?? 0), 0);
      source = new EventSource(`${eventsAddress}?since=${since}`);
      source.onmessage = event => update(JSON.parse(event.data));
      source.onopen = () => { if (problem?.text === silentServer) { problem = null; refresh(); } };
      source.onerror = () => {
        close();
        view.line.textContent = silentServer;
        setTimeout(begin, 2000);
      };
    };
    document.addEventListener("visibilitychange", () => document.hidden ? close() : begin());
    begin();
  }

  // Takes over what has changed; rows are told apart by their files.
  function update({ line, pending, rows = [], sum, folders: list }) {
    const known = new Map(all.map(row => [row.file, row])), changed = new Set();
    for (const given of rows) {
      const row = known.get(given.file) ?? {};
      if (!known.has(given.file)) all.push(row);
      known.set(given.file, row);
      renew(row, given);
      changed.add(row);
    }
    if (pending) markPending(pending, known, changed);
    all.sort((one, other) => one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
    all.forEach((row, index) => { row.index = index; });
    if (playing && !all.includes(playing.row)) stop();
    view.line.textContent = line ?? "";
    if (list && JSON.stringify(list) !== told) {
      told = JSON.stringify(list);
      folders = list;
      holdingFocus(view.tree, () => view.tree.replaceChildren(...tree()));
    }
    if (changed.size || list) showChanges(changed);
    const total = all.reduce((total, row) => total + (row.isNew ? 0 : row.changed), 0);
    if (sum !== undefined && total !== sum) askForAll();
  }

  // A row as it is now; what the user does with it stays.
  function renew(row, given) {
    const { source, position, range, pending } = row;
    for (const key of Object.keys(row)) delete row[key];
    Object.assign(row, given, { source, position, range, pending });
  }

  function markPending(pending, known, changed) {
    const wanted = new Map(pending.map(one => [one.file, one]));
    for (const one of pending) {
      if (known.has(one.file)) continue;
      const row = { name: one.name, file: one.file, state: "new", isNew: true, notes: [] };
      all.push(row);
      known.set(one.file, row);
    }
    for (const row of all) {
      const now = wanted.get(row.file);
      if (row.pending?.state === now?.state && row.pending?.note === now?.note) continue;
      row.pending = now;
      if (row.isNew) row.notes = now?.note ? [now.note] : [];
      changed.add(row);
    }
    all = all.filter(row => !row.isNew || row.pending);
  }

  function showChanges(changed) {
    arrange();
    const anchor = anchorOf(), before = anchor && offsetOf(anchor);
    const focus = [...changed].find(row =>
      elements.get(row)?.element.contains(document.activeElement));
    for (const row of changed) {
      elements.get(row)?.element.remove();
      elements.delete(row);
    }
    totals();
    if (all.length) choose();
    if (anchor && shown.includes(anchor)) scrollBy(0, offsetOf(anchor) - before);
    if (focus) elements.get(focus)?.canvas.focus({ preventScroll: true });
  }

  // What the reader looks at stays where it is while others come and go above it: the open row,
  // if it can be seen, or the first that can.
  function anchorOf() {
    const start = -view.list.getBoundingClientRect().top;
    if (start <= 0) return null;
    const isSeen = row => row && shown.includes(row) && offsetOf(row) > start - height(row);
    return isSeen(open) ? open : shown[rowAt(start + 1)];
  }

  const offsetOf = row => offsets[shown.indexOf(row)];

  // Asks for all rows, because a message was missed or a recording deleted.
  function askForAll() {
    if (isAsking) return;
    isAsking = true;
    const script = element("script", { src: `report-rows.js?${Date.now()}` });
    script.onload = script.onerror = () => { script.remove(); isAsking = false; };
    document.head.append(script);
  }

  function takeAll(given) {
    const files = new Set(given.map(row => row.file));
    all = all.filter(row => row.isNew || files.has(row.file));
    update({ rows: given, line: view.line.textContent });
    showChanges(new Set());
  }

  // Replaces the children of an element, one of which may have the focus.
  function holdingFocus(parent, replace) {
    const label = parent.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    replace();
    if (label) parent.querySelector(`[data-key="${CSS.escape(label)}"]`)?.focus();
  }

  // -- The page

  function tree() {
    return folders.map(folder => {
      const parents = folders.filter(other => other.path !== folder.path
        && (other.path === "" || folder.path.startsWith(other.path + "/")));
      const parent = parents.at(-1)?.path ?? "";
      const name = folder.path === "" ? "Recordings"
        : folder.path.slice(parent === "" ? 0 : parent.length + 1);
      const link = element("a", {
        href: top + folder.page, "data-key": folder.path, "aria-current": isHere(folder) ? "page" : null,
      }, element("bdi", {}, name), element("span", { class: "count" },
        folder.failed ? element("span", { class: "failed" }, `${folder.failed} failed · `) : null,
        folder.recordings || parents.length ? folder.recordings.toLocaleString("en") : null));
      link.style.paddingLeft = `${8 + 14 * Math.max(0, parents.length)}px`;
      return element("li", {}, link);
    });
  }

  const isHere = folder =>
    new URL(top + folder.page, location.href).pathname.replace(/index\.html$/, "")
    === location.pathname.replace(/index\.html$/, "");

  function totals() {
    const seconds = all.reduce((sum, row) => sum + (row.seconds ?? 0), 0);
    const parts = all.length ? [`${counted(all.length, "recording")}, ${long(seconds)}`] : [];
    if (folders.length > 1 && folders.find(isHere)?.path === "") {
      const sum = key => folders.reduce((total, folder) => total + folder[key], 0);
      const failed = sum("failed");
      parts.push(`${all.length ? " here; " : ""}${counted(sum("recordings"), "recording")}, `
        + `${long(sum("seconds"))} in all folders${failed ? `, ${failed} failed` : ""}`);
    }
    const links = states.filter(([, , holds]) => all.some(holds)).map(([name, label, holds]) =>
      element("a", { href: `#${name}` }, `${all.filter(holds).length} ${label}`));
    view.totals.replaceChildren(parts.join(""), ...links);
  }

  // What a page without recordings shows.
  function overview() {
    if (!folders.some(folder => folder.recordings)) {
      return element("p", {}, "There are no recordings yet.");
    }
    if (top !== "" && !folders.some(isHere)) {
      return element("p", {}, "This folder has no recordings any more.");
    }
    const cells = (tag, values) => element("tr", {},
      ...values.map(value => element(tag, {}, value)));
    const body = folders.filter(folder => folder.recordings).map(folder => cells("td", [
      element("a", { href: top + folder.page },
        element("bdi", {}, folder.path || "Recordings")),
      folder.recordings.toLocaleString("en"), long(folder.seconds),
      ...["failed", "warned", "silent", "missing"].map(key => folder[key]
        ? element("a", { href: `${top}${folder.page}#${key}` }, String(folder[key])) : "–"),
    ]));
    return element("div", { class: "overview" }, element("table", {},
      element("thead", {}, cells("th", ["Folder", "Recordings", "Length", "Failed",
        "Warnings", "Silent", "Gone"])),
      element("tbody", {}, ...body)));
  }

  function build() {
    const name = folders.find(isHere)?.path || "Recordings";
    view.totals = element("p", { class: "totals" });
    view.search = element("input", { type: "search", oninput: choose });
    view.order = element("select", { onchange: () => { remember(); choose(); } },
      ...Object.entries(orders).map(([key, [label]]) => element("option", { value: key }, label)));
    view.states = element("div", { role: "group", "aria-label": "Show" });
    view.shown = element("p", { class: "shown", role: "status" });
    view.list = element("div", { class: "list", role: "list", "aria-label": "Recordings" });
    view.line = element("p", { class: "line" });
    view.tree = element("ul", {}, ...tree());
    view.tools = element("div", { class: "tools" },
      element("label", {}, "Find ", view.search),
      element("label", {}, "Sort ", view.order), view.states, view.shown);
    view.main = element("main", {});
    const isNarrow = matchMedia("(max-width: 720px)");
    const folding = element("details", { open: !isNarrow.matches },
      element("summary", {}, "Folders"), view.tree);
    const settle = () => { refresh(); place(); lay(); };
    isNarrow.addEventListener("change", () => { folding.open = !isNarrow.matches; settle(); });
    document.body.append(
      element("header", {}, element("h1", {}, element("bdi", {}, name)), view.line, view.totals),
      element("div", { class: "layout" },
        element("nav", { "aria-label": "Folders" }, folding), view.main));
    try { view.order.value = sessionStorage.getItem("order") ?? "name"; } catch { /* not kept */ }
    readColours();
    totals();
    arrange();
    if (all.length) choose();
    addEventListener("scroll", lay, { passive: true });
    addEventListener("resize", settle);
    addEventListener("hashchange", choose);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      readColours();
      refresh();
    });
    isBuilt = true;
    requestAnimationFrame(step);
    if (eventsAddress) listen();
  }

  // The order that was chosen, for other folders and the next visit.
  function remember() {
    try { sessionStorage.setItem("order", view.order.value); } catch { /* not kept */ }
  }

  // The recordings with their tools, or what is in other folders.
  function arrange() {
    const wanted = all.length ? [view.tools, view.list] : [overview()];
    if (!all.length || view.list.parentNode !== view.main) view.main.replaceChildren(...wanted);
    const found = [["", "all", () => true], ...states].filter(([, , holds]) => all.some(holds));
    const buttons = [...view.states.children].map(button => button.dataset.state);
    if (String(buttons) === String(found.map(([state]) => state))) return;
    holdingFocus(view.states, () => view.states.replaceChildren(...found.map(([state, label]) =>
      element("button", { "data-state": state, "data-key": state || "all",
        onclick: () => { location.hash = state; } }, label))));
  }

  addEventListener("DOMContentLoaded", build);

  return {
    rows(given) {
      if (isBuilt) takeAll(given); else all = given.map((row, index) => ({ ...row, index }));
    },
    folders(given) { folders = given; },
    details(given) {
      const row = all.find(row => row.file === document.currentScript.dataset.file);
      if (!row) return;
      row.parts = given;
      if (elements.has(row)) fill(elements.get(row));
    },
    drawings(number, given) {
      drawings.set(number, given);
      for (const row of elements.keys()) draw(row);
    },
  };
})();
