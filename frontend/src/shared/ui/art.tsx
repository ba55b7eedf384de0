/** Drawn products for decorative pictures. An svg that uses them holds `Metals` in its defs. */

const GRADIENTS: Record<string, readonly [string, string, string]> = {
  white: ["#d8d2cb", "#fdfdfc", "#d5cec6"],
  gold: ["#a5844d", "#d1b27c", "#9c7b48"],
  cream: ["#cdb083", "#f4e6cb", "#c9a975"],
  green: ["#8eaa86", "#d5e2cd", "#86a07e"],
  blue: ["#8fb0d2", "#dceafa", "#86a9ce"],
  lilac: ["#b8a4d4", "#eee7f8", "#b29dd0"],
  peach: ["#e08361", "#fbc0a5", "#d97856"],
  shell: ["#e9dcd0", "#fcf8f4", "#dfd0c2"],
  blush: ["#d89b83", "#f0c9b6", "#cf8f77"],
};

export function Metals() {
  return Object.entries(GRADIENTS).map(([id, [edge, middle, end]]) => (
    <linearGradient key={id} id={id}>
      <stop stopColor={edge} />
      <stop offset=".4" stopColor={middle} />
      <stop offset="1" stopColor={end} />
    </linearGradient>
  ));
}

interface At {
  x: number;
  y: number;
}

export function Label({ x, y, width, ink = "#6d665c" }: At & { width: number; ink?: string }) {
  const inset = width * 0.14;
  return (
    <g fill={ink}>
      <rect x={x} y={y} width={width} height={width / 7} rx="2" />
      {[0.38, 0.62, 0.86].map((line) => (
        <rect
          key={line}
          x={x + inset}
          y={y + width * line}
          width={width - 2 * inset}
          height={width / 14}
          opacity=".55"
        />
      ))}
    </g>
  );
}

/** 94 wide, 76 high. */
export function Jar({ x, y }: At) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M3 26h88v32q0 18-18 18H21Q3 76 3 58z" fill="url(#cream)" />
      <rect width="94" height="28" rx="6" fill="url(#gold)" />
      <Label x={32} y={42} width={30} />
    </g>
  );
}

/** 37 wide, 106 high. */
export function Lipstick({ x, y }: At) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M7 36V14Q14 4 30 0v36z" fill="url(#blush)" />
      <rect x="4" y="34" width="29" height="13" fill="#d9c8bc" />
      <rect y="46" width="37" height="60" rx="4" fill="url(#shell)" />
    </g>
  );
}

/** 57 wide, 115 high. */
export function Bottle({ x, y }: At) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M0 55q0-16 15-24h27q15 8 15 24v47q0 13-13 13H13Q0 115 0 102z" fill="url(#white)" />
      <rect x="15" width="27" height="29" rx="4" fill="url(#gold)" />
      <rect x="6" y="56" width="5" height="44" rx="2" fill="#fff" opacity=".8" />
      <Label x={17} y={66} width={23} />
    </g>
  );
}
