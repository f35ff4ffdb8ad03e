import { Icon } from './link.js';

/** A command of the terminal that does or shows the same. Copying it takes the script; it can be marked without. */
export function Command({ text }: { readonly text: string }) {
  return (
    <p class="cmd no-print">
      <code>{text}</code>
      <button class="b ghost small" type="button" data-copy={text} hidden>
        <Icon name="copy" />
        <span data-said>Copy</span>
      </button>
    </p>
  );
}
