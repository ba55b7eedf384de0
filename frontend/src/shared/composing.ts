const LETTER = /^Key[A-Z]$/;

/**
 * Leave the keys of an unfinished syllable (Korean, Japanese, Chinese) to the keyboard: the Enter, Tab or arrow that ends
 * one is no field's and no shortcut's. Safari tells the one that ends it by its number alone, 229; with that number a
 * letter may begin a syllable, and is heard.
 */
export function leaveSyllablesAlone() {
  window.addEventListener(
    "keydown",
    (event) => {
      const isEnding = event.keyCode === 229 && !LETTER.test(event.code);
      if (event.isComposing || isEnding) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
