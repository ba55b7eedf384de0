import { useState } from "react";
import { useOnChange } from "@/shared/effects";

export type Ranks = ReadonlyMap<string, number>;

/** Places of lines by key, as they were sorted when `when` became another: none jumps while it is typed in. */
export function useRanks(when: string, sorted: () => readonly string[]): Ranks {
  const ranked = () => new Map(sorted().map((key, place) => [key, place]));
  const [ranks, setRanks] = useState<Ranks>(ranked);
  useOnChange(when, () => setRanks(ranked()));
  return ranks;
}

export const rankOf = (ranks: Ranks, key: string) => ranks.get(key) ?? ranks.size;
