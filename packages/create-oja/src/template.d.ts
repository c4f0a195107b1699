/** The types of `template.js`, for the program that packs it. */
export declare const composeParts: readonly string[];
export declare const templateFiles: readonly string[];
export declare function readTemplate(path: string): string;
