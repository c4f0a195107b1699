/**
 * Searches purchases by any of their numbers. At the console it also searches merchants and all
 * other records.
 */
import { type FormEvent, useState } from 'react';
import { audienceOfPage } from '../api/session.ts';
import { useGoTo } from '../widgets/environment.ts';
import styles from './search-box.module.css';
import { SEARCH_ID } from './shortcuts.ts';

const hint =
  audienceOfPage === 'portal' ? 'Number, reference, meter, token' : 'Search numbers, merchants, pages';

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
          placeholder={hint}
          className={styles.input}
          onChange={(event) => setText(event.target.value)}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
