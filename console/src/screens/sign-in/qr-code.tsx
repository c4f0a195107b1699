/** Draws a text as a QR code in the page, so that a secret is not sent anywhere. */
import { create } from 'qrcode';
import styles from './door.module.css';

/** The quiet zone that readers need, in modules. */
const MARGIN = 4;

export function QrCode({ text, title }: { readonly text: string; readonly title: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  const path = [...data]
    .map((isDark, index) => (isDark ? `M${index % size} ${Math.floor(index / size)}h1v1h-1z` : ''))
    .join('');
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={title}
      viewBox={`${-MARGIN} ${-MARGIN} ${size + MARGIN * 2} ${size + MARGIN * 2}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
