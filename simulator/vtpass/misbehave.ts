/** How each fault changes a call: whether the order is executed at all, and what the caller gets to see. */
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { refusal } from './replies.ts';

/** Whether the order is taken and recorded although this fault befalls the call. */
export function executes(fault: Fault): boolean {
  switch (fault.fault) {
    case 'cut_before':
    case 'no_access':
    case 'float_out':
      return false;
    case 'error_5xx':
    case 'broken_json':
    case 'html_page':
    case 'odd_reply':
    case 'no_reply':
    case 'timeout':
      return fault.delivered;
    default:
      return true;
  }
}

const HTML =
  '<!doctype html><html><head><title>Just a moment</title></head><body>We will be back.</body></html>';

/** What the caller sees instead of `proper`. */
export function spoil(fault: Fault, proper: unknown, timeoutMs: number): Reply {
  switch (fault.fault) {
    case 'cut_before':
    case 'cut_after':
    case 'late_visible':
      return { kind: 'cut' };
    case 'timeout':
      return { kind: 'cut', afterMs: timeoutMs };
    case 'error_5xx':
      return json({ message: 'Server Error' }, 500);
    case 'broken_json': {
      const text = JSON.stringify(proper);
      return { kind: 'text', status: 200, type: 'application/json', text: text.slice(0, text.length / 2) };
    }
    case 'html_page':
      return { kind: 'text', status: 200, type: 'text/html', text: HTML };
    case 'odd_reply':
      return json({ code: '999', response_description: 'UNEXPECTED RESPONSE', content: [] });
    case 'no_reply':
      return { kind: 'text', status: 200, type: 'application/json', text: '' };
    case 'no_access':
      return refusal('028');
    case 'float_out':
      return refusal('018');
    default:
      return json(proper);
  }
}
