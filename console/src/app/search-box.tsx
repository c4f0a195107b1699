/** Searches purchases by any of their numbers, and merchants by code or name. */
import { type FormEvent, useState } from 'react';
import { useGoTo } from '../widgets/environment.ts';
import styles from './search-box.module.css';
import { SEARCH_ID } from './shortcuts.ts';

export function SearchBox() {
  const goTo = useGoTo();
  const [text, setText] = useState('');
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    goTo(`/purchases?${new URLSearchParams({ find: text.trim() })}`);
  };
  return (
    <search className={styles.search}>
      <form onSubmit={search}>
        <label htmlFor={SEARCH_ID} className="only-read">
          Search
        </label>
        <input
          id={SEARCH_ID}
          type="search"
          value={text}
          autoComplete="off"
          spellCheck={false}
          placeholder="Number, reference, meter, token, merchant, key, URL, page"
          className={styles.input}
          onChange={(event) => setText(event.target.value)}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
