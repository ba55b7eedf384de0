/** The server's limits, exported from it: lengths of texts in characters, counts in pieces. */
export { default as limits } from "../../contract/limits.json";
