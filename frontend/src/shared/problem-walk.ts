import { useEffect, useEffectEvent } from "react";

/** Leads to the next problem (1) or the one before (-1); false if there is none. */
type Walk = (step: 1 | -1) => boolean;

const walks = new Set<Walk>();

/** For a list that draws some of its lines only: says how its problems are reached, the undrawn ones too. */
export function useProblemWalk(walk: Walk): void {
  const onWalk = useEffectEvent(walk);
  useEffect(() => {
    const entry: Walk = (step) => onWalk(step);
    walks.add(entry);
    return () => void walks.delete(entry);
  }, []);
}

/** Leads to the next problem of such a list; false if no list has one. */
export const walkProblems = (step: 1 | -1): boolean => [...walks].some((walk) => walk(step));
