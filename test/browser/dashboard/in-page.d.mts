export declare function twoFrames(): Promise<void>;
export declare function reportViolations(): void;
export declare function layoutProblems(): string[];
export declare function misbehave(): Promise<void>;
export declare function misplaceControls(): void;
export declare function clipboardText(): Promise<string>;
export declare function cachedByPage(): string;
export declare function controlsWithoutPermission(): string[];
export function hostileProblems(): string[];
