import { Icon } from './link.js';

interface SearchProps {
  /** What is asked for, as `Row id begins with`. */
  readonly words: string;
  readonly value: string;
  /** The filter that stays, a field of the query; null for none. */
  readonly kept: { readonly name: string; readonly value: string } | null;
}

/** Filters a list by the beginning of an id, beside the tab that is open. */
export function SearchForm({ words, value, kept }: SearchProps) {
  return (
    <form class="filters pad" method="get">
      {kept && <input type="hidden" name={kept.name} value={kept.value} />}
      <span class="grow">
        <Icon name="search" />
        <input class="in" name="id" type="search" value={value} placeholder={words} aria-label={words} />
      </span>
      <button class="b" type="submit">
        Filter
      </button>
    </form>
  );
}
