import type { ReactNode } from "react";
import { cx } from "@/shared/cx";
import { Jar, Label, Lipstick, Metals } from "./art";
import styles from "./Illustration.module.css";

/** Products on podiums in front of an arch; decorative. The wall takes the tint of the accent. */
export function Illustration() {
  return (
    <div
      className={cx(
        styles.panel,
        "relative overflow-hidden my-12 rounded-[20px]",
        "phone:h-200 phone:mt-10 phone:mb-0 phone:mx-10",
      )}
      aria-hidden="true"
    >
      <svg viewBox="0 0 714 876" preserveAspectRatio="xMidYMax slice" role="presentation">
        <defs>
          <Metals />
          <linearGradient id="podium">
            <stop stopColor="#e6dace" />
            <stop offset=".35" stopColor="#fdf6ee" />
            <stop offset="1" stopColor="#dccdbf" />
          </linearGradient>
          <linearGradient id="floor" x2="0" y2="1">
            <stop stopColor="#f1e8dd" />
            <stop offset="1" stopColor="#ebdfd2" />
          </linearGradient>
          <radialGradient id="sun">
            <stop stopColor="#fff" />
            <stop offset="1" stopColor="#fff" stopOpacity="0" />
          </radialGradient>
        </defs>
        <rect className={styles.wall} x="-800" y="-900" width="2400" height="1640" />
        <circle cx="568" cy="150" r="330" fill="url(#sun)" />
        <path className={styles.niche} d="M190 728V362a167 167 0 0 1 334 0v366z" />
        <path
          d="M143 728V355a213 213 0 0 1 427 0v373h-47V362a166.5 166.5 0 0 0-333 0v366z"
          fill="#fbfcfc"
        />
        <rect x="-800" y="728" width="2400" height="400" fill="url(#floor)" />
        <Podium x={69} width={179} top={651} bottom={770} />
        <Podium x={459} width={189} top={622} bottom={770} />
        <Podium x={253} width={207} top={575} bottom={784} />
        <Standing cx={162} y={652} rx={44}>
          <path
            d="M125 577q0-14 19-25l4-8h30l4 8q18 11 18 25v61q0 14-14 14h-47q-14 0-14-14z"
            fill="url(#green)"
          />
          <rect x="143" y="522" width="40" height="26" rx="4" fill="#343a33" />
          <rect x="150" y="477" width="25" height="52" rx="12" fill="#3d443b" />
          <rect x="134" y="576" width="6" height="62" rx="3" fill="#fff" opacity=".45" />
          <Label x={146} y={588} width={34} />
        </Standing>
        <Standing cx={357} y={575} rx={64}>
          <rect x="301" y="387" width="112" height="188" rx="20" fill="url(#white)" />
          <rect x="329" y="363" width="56" height="24" rx="5" fill="url(#gold)" />
          <rect x="352" y="336" width="11" height="28" fill="#a98c66" />
          <path d="M319 332q0-12 12-12h50q10 0 10 12v6h-52q-8 0-20 7z" fill="url(#gold)" />
          <rect x="315" y="404" width="9" height="120" rx="4" fill="#fff" opacity=".8" />
          <Label x={333} y={458} width={50} />
        </Standing>
        <Standing cx={520} y={623} rx={42}>
          <rect x="485" y="494" width="69" height="129" rx="14" fill="url(#blue)" />
          <rect x="491" y="430" width="56" height="64" rx="9" fill="url(#white)" />
          <rect x="494" y="508" width="7" height="74" rx="3" fill="#fff" opacity=".5" />
          <Label x={503} y={542} width={33} ink="#3f5f8f" />
        </Standing>
        <Lipstick x={576} y={518} />
        <Standing cx={143} y={803} rx={40}>
          <path d="M140 692h6l4 22h-14z" fill="#f3a487" />
          <path
            d="M136 718h14q7 12 7 28v46q0 11-11 11h-6q-12 0-12-11v-46q0-16 8-28z"
            fill="url(#peach)"
          />
          <rect x="136" y="714" width="14" height="5" fill="#fff3ea" />
          <Label x={136} y={758} width={15} />
        </Standing>
        <Jar x={248} y={716} />
        <Standing cx={478} y={803} rx={52}>
          <path d="M445 668h64l-8 112h-47z" fill="url(#lilac)" />
          <rect x="445" y="668" width="64" height="9" fill="#a48fc0" />
          <rect x="453" y="778" width="49" height="25" rx="4" fill="#e3dcec" />
          <Label x={463} y={711} width={28} ink="#55507f" />
        </Standing>
        <g fill="#9db395">
          <path d="M642 730q-8-130 43-247" fill="none" stroke="#7f9a7a" strokeWidth="3" />
          <path d="M684 483q-36-8-35-44 33 6 35 44zM680 490q24 0 17 52-42 0-37-24 4-24 20-28z" />
          <path d="M653 606q-46-6-56-60 54 4 56 60zM645 668q-48 6-66-40 52-8 66 40z" />
        </g>
      </svg>
    </div>
  );
}

function Podium({ x, width, top, bottom }: Record<"x" | "width" | "top" | "bottom", number>) {
  const half = width / 2;
  const lip = width / 14;
  return (
    <>
      <ellipse cx={x + half} cy={bottom} rx={half + 31} ry="16" fill="#dccbbd" opacity=".8" />
      <path
        d={`M${x} ${top}v${bottom - top}a${half} ${lip} 0 0 0 ${width} 0V${top}z`}
        fill="url(#podium)"
      />
      <ellipse cx={x + half} cy={top} rx={half} ry={lip} fill="#f6ede3" />
    </>
  );
}

interface StandingProps extends Record<"cx" | "y" | "rx", number> {
  children: ReactNode;
}

function Standing({ cx, y, rx, children }: StandingProps) {
  return (
    <>
      <ellipse cx={cx} cy={y} rx={rx} ry="6" fill="#8a7869" opacity=".25" />
      {children}
    </>
  );
}
