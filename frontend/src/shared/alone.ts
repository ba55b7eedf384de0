/** Does work in one tab of this browser at a time, where the browser can say so. */
export async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? await navigator.locks.request(name, work) : await work();
}
