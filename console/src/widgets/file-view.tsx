/** A file in the output of an operation: shown if it is a picture, and offered to save. */
import buttons from './button.module.css';
import styles from './file-view.module.css';

export type AnsweredFile = {
  readonly media_type: string;
  /** In base 64. */
  readonly content: string;
};

/** The picture types that browsers show without running scripts. */
const PICTURES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

export function isFile(value: object): value is AnsweredFile {
  return (
    'media_type' in value &&
    'content' in value &&
    typeof value.media_type === 'string' &&
    typeof value.content === 'string'
  );
}

export function FileView({ file: { media_type: type, content } }: { readonly file: AnsweredFile }) {
  const address = `data:${type};base64,${content}`;
  return (
    <>
      {PICTURES.has(type) ? <img className={styles.picture} src={address} alt="The document" /> : null}
      <p>
        <a
          className={`${buttons.button} ${buttons.plain}`}
          href={address}
          download={`document.${type.split('/')[1]}`}
        >
          Save file
        </a>
      </p>
    </>
  );
}
