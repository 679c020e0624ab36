(** * The smallest adjusted Rand index

    Theorem.  Every table with n >= 25 objects has ARD <= 3/2, that is ARI >= -1/2.

    Let a, b, S and p be the sums of row_sum^2, of col_sum^2, of x_ij row_sum_i col_sum_j and of x_ij^2.  The claim is
    6 (a - n)(b - n) <= (n^2 - n)(a + b + 4p - 6n).

    Square roots are replaced by integers: for a natural number N let X and Y be the least with N^2 a <= X^2 and
    N^2 b <= Y^2, T = nN, H = nN^2, Z = X + Y - T.
    (1) N row_sum_i <= X and N col_sum_j <= Y, so the sum of x_ij (X - N row_sum_i)(Y - N col_sum_j) is not negative:
        N X b + N Y a <= N^2 S + n X Y.
    (2) The sum of (X Y x_ij - N Z row_sum_i col_sum_j)^2 is not negative: 2 X Y N Z S <= X^2 Y^2 p + N^2 Z^2 a b.
    (3) For Z >= 0 both give Z^2 <= N^2 p + 8 n^3 N; and p >= n always.
    (4) Let q = Z^2 if Z >= 0 and H <= Z^2, else q = H.  Then 6 (X^2 - H)(Y^2 - H) <= (T^2 - H)(X^2 + Y^2 + 4q - 6H): eight
        times the difference is (X-Y)^2 (4T^2 + 20H + 3W^2 + 12XY), W = X + Y, and for q = H
        (W^2 - 4H)(4T^2 + 8H - 3W^2), for q = Z^2 a cubic times 2T - W that falls in H, H <= Z^2 and H <= T^2/25.
    (5) So N^4 times the claim holds up to 36 n^5 N^3, for every N; at N = 36 n^5 + 1 integers leave no room. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables LeastSquares.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ------------------------------------------------------------------ *)
(** ** (4): the inequality between the margins' squares *)

Definition gap (X Y T H q : int) : int :=
  (T * T - H) * (X * X + Y * Y + 4%:Z * q - 6%:Z * H) - 6%:Z * ((X * X - H) * (Y * Y - H)).
Definition unequal (X Y T H : int) : int :=
  (X - Y) * (X - Y) * (4%:Z * (T * T) + 20%:Z * H + 3%:Z * ((X + Y) * (X + Y)) + 12%:Z * (X * Y)).
Definition cubic (W T H : int) : int :=
  3%:Z * W * W * W + 6%:Z * W * W * T - 24%:Z * T * T * W + 16%:Z * T * T * T - H * (40%:Z * T - 12%:Z * W).

Section Margins.
Variables (X Y T H : int).
Hypotheses (X0 : 0 <= X) (Y0 : 0 <= Y) (XT : X <= T) (YT : Y <= T).
Hypotheses (H0 : 0 <= H) (XH : H <= X * X) (YH : H <= Y * Y) (HT : 25%:Z * H <= T * T).

Lemma unequal_ge0 : 0 <= unequal X Y T H.
Proof.
have XY : 0 <= X * Y by apply: mulr_ge0.
have T2 := sq_ge0 T; have W2 := sq_ge0 (X + Y).
apply: mulr_ge0; first exact: sq_ge0.
by move: H0 XY T2 W2; rewrite /sq; clear; lia.
Qed.

Lemma margins_large : 4%:Z * H <= (X + Y) * (X + Y).
Proof.
have h : H <= X * Y.
  case: (lerP X Y) => c.
    by apply: le_trans XH _; apply: ler_wpmul2l.
  by apply: le_trans YH _; apply: ler_wpmul2r => //; apply: ltW.
by move: h (sq_ge0 (X - Y)); rewrite /sq; clear; lia.
Qed.

Lemma gap_at_H (W : int) : W = X + Y ->
  8%:Z * gap X Y T H H = (W * W - 4%:Z * H) * (4%:Z * (T * T) + 8%:Z * H - 3%:Z * (W * W)) + unequal X Y T H.
Proof. by move=> ->; rewrite /gap /unequal; clear; lia. Qed.

Lemma gap_at_Z (W : int) : W = X + Y ->
  8%:Z * gap X Y T H ((W - T) * (W - T)) = (2%:Z * T - W) * cubic W T H + unequal X Y T H.
Proof. by move=> ->; rewrite /gap /unequal /cubic; clear; lia. Qed.

Lemma gap_small (Z : int) : X + Y = T + Z -> Z <= 0 \/ Z * Z <= H -> 0 <= gap X Y T H H.
Proof.
move=> WE small; have u := unequal_ge0; have e := gap_at_H (esym WE); have w := margins_large; rewrite WE in w.
have T2 := sq_ge0 T; rewrite /sq in T2.
have factor : 0 <= 4%:Z * (T * T) + 8%:Z * H - 3%:Z * ((T + Z) * (T + Z)).
  case: (lerP Z 0) => z.
    have h : (T + Z) * (T + Z) <= T * T by apply: ler_pmul; lia.
    by move: h T2 H0; clear; lia.
  have {small}ZH : Z * Z <= H by case: small => //; lia.
  have Z5 : 5%:Z * Z <= T.
    case: (lerP (5%:Z * Z) T) => // c.
    have h : T * T < 5%:Z * Z * (5%:Z * Z) by apply: ltr_pmul => //; lia.
    by move: h ZH HT; clear; lia.
  have h : 0 <= (T - Z) * (T - 5%:Z * Z) by apply: mulr_ge0; lia.
  by move: h ZH; clear; lia.
have : 0 <= ((T + Z) * (T + Z) - 4%:Z * H) * (4%:Z * (T * T) + 8%:Z * H - 3%:Z * ((T + Z) * (T + Z))).
  by apply: mulr_ge0 => //; lia.
by move: e u; clear; lia.
Qed.

Lemma gap_large (Z : int) : X + Y = T + Z -> 0 <= Z -> H <= Z * Z -> 0 <= gap X Y T H (Z * Z).
Proof.
move=> WE z ZH; have u := unequal_ge0; have e := gap_at_Z (esym WE).
rewrite (_ : T + Z - T = Z) in e; last by lia.
have ZT : Z <= T by lia.
have T0 : 0 <= T by lia.
have slope : 0 <= 40%:Z * T - 12%:Z * (T + Z) by lia.
have c0 : 0 <= cubic (T + Z) T H.
  case: (lerP (5%:Z * Z) T) => z5.
    have h : H * (40%:Z * T - 12%:Z * (T + Z)) <= Z * Z * (40%:Z * T - 12%:Z * (T + Z)) by apply: ler_wpmul2r.
    have g : 0 <= (T - Z) * (T + 3%:Z * Z) * (T - 5%:Z * Z) by apply: mulr_ge0; [apply: mulr_ge0|]; lia.
    by move: h g; rewrite /cubic; clear; lia.
  have h : 25%:Z * H * (40%:Z * T - 12%:Z * (T + Z)) <= T * T * (40%:Z * T - 12%:Z * (T + Z)) by apply: ler_wpmul2r.
  have ZT0 : 0 <= Z * T by apply: mulr_ge0.
  have g : 0 <= (5%:Z * Z - T) * (5%:Z * (Z * Z) + 26%:Z * (Z * T) + T * T).
    by apply: mulr_ge0; [lia | move: ZT0 (sq_ge0 Z) (sq_ge0 T); rewrite /sq; clear; lia].
  by move: h g; rewrite /cubic; clear; lia.
have : 0 <= (2%:Z * T - (T + Z)) * cubic (T + Z) T H by apply: mulr_ge0 => //; lia.
by move: e u; clear; lia.
Qed.
End Margins.

(* ------------------------------------------------------------------ *)
(** ** (1) to (3): sums over a table *)

Section Sums.
Variables (k l : nat) (x : 'I_k.+1 -> 'I_l.+1 -> int).
Hypothesis x0 : forall i j, 0 <= x i j.
Local Notation n := (\sum_i \sum_j x i j).
Local Notation a := (row_squares x).
Local Notation b := (col_squares x).
Local Notation p := (entry_squares x).

Definition aligned := \sum_i \sum_j x i j * (rows x i * cols x j).

Lemma multiple_le (m : nat) (f : 'I_m -> int) (N X : int) i :
  0 <= X -> N * N * (\sum_i sq (f i)) <= X * X -> N * f i <= X.
Proof.
move=> X0 h; case: (lerP (N * f i) X) => // c.
have h1 : X * X < N * f i * (N * f i) by apply: ltr_pmul.
have h2 : sq (f i) <= \sum_i sq (f i).
  by rewrite (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; apply: sq_ge0.
have h3 : N * N * sq (f i) <= N * N * (\sum_i sq (f i)) by apply: ler_wpmul2l; [apply: sq_ge0 |].
by move: h h1 h3; rewrite /sq; move: (\sum_i _) => S; clear; lia.
Qed.

Lemma aligned_ge (N X Y : int) : 0 <= X -> 0 <= Y -> N * N * a <= X * X -> N * N * b <= Y * Y ->
  N * X * b + N * Y * a <= N * N * aligned + n * (X * Y).
Proof.
move=> X0 Y0 aX bY.
have h : 0 <= \sum_i \sum_j x i j * ((X - N * rows x i) * (Y - N * cols x j)).
  apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: mulr_ge0 => //.
  by apply: mulr_ge0; rewrite subr_ge0; apply: multiple_le.
have e : \sum_i \sum_j x i j * ((X - N * rows x i) * (Y - N * cols x j))
  = N * N * aligned - \sum_i \sum_j x i j * (N * Y * rows x i + N * X * cols x j - X * Y).
  rewrite /aligned mulr_sumr -sumrB; apply: eq_bigr => i _.
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => j _; move: (rows x i) (cols x j) => c d; lia.
rewrite e sum_x_potential in h; move: h; move: aligned a b n => S A B m; clear; lia.
Qed.

Lemma aligned_le (c d : int) : 2%:Z * (c * d) * aligned <= c * c * p + d * d * (a * b).
Proof.
have h : 0 <= \sum_i \sum_j sq (c * x i j - d * (rows x i * cols x j)).
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sq_ge0.
have e : \sum_i \sum_j sq (c * x i j - d * (rows x i * cols x j))
  = c * c * p + d * d * (a * b) - 2%:Z * (c * d) * aligned.
  rewrite /aligned /entry_squares [a * b]mulr_suml !mulr_sumr -!big_split /= -sumrB; apply: eq_bigr => i _.
  rewrite mulr_sumr !mulr_sumr -!big_split /= -sumrB; apply: eq_bigr => j _.
  by rewrite /sq; move: (rows x i) (cols x j) => f g; lia.
by rewrite e in h; move: h; move: aligned (c * c * p) (d * d * _) => S A B; clear; lia.
Qed.

(* (3) *)
Lemma squares_ge (N X Y D E : int) : 0 < N -> 0 < X -> 0 < Y ->
  N * N * a <= X * X -> X * X <= N * N * a + D -> N * N * b <= Y * Y -> Y * Y <= N * N * b + D ->
  0 <= X + Y - n * N -> 2%:Z * (X + Y - n * N) * D * (X + Y) <= X * Y * E ->
  (X + Y - n * N) * (X + Y - n * N) <= N * N * p + E.
Proof.
move=> N0 X0 Y0 aX Xa bY Yb; set Z := X + Y - n * N => Z0 small.
have s1 := aligned_ge (ltW X0) (ltW Y0) aX bY.
have s2 := aligned_le (X * Y) (N * Z).
have a0 : 0 <= a by apply: sumr_ge0 => i _; apply: sq_ge0.
have b0 : 0 <= b by apply: sumr_ge0 => i _; apply: sq_ge0.
have XY : 0 < X * Y by apply: mulr_gt0.
have low : X * Y * Z - D * (X + Y) <= N * N * N * aligned.
  have h : N * (N * X * b + N * Y * a) <= N * (N * N * aligned + n * (X * Y)) by rewrite ler_pmul2l.
  have hX : X * (Y * Y) <= X * (N * N * b + D) by rewrite ler_pmul2l.
  have hY : Y * (X * X) <= Y * (N * N * a + D) by rewrite ler_pmul2l.
  by move: h hX hY; rewrite /Z; move: aligned a b n => S A B m; clear; lia.
have low2 : 2%:Z * (X * Y * Z) * (X * Y * Z - D * (X + Y)) <= 2%:Z * (X * Y * Z) * (N * N * N * aligned).
  by apply: ler_wpmul2l => //; apply: mulr_ge0 => //; apply: mulr_ge0 => //; apply: ltW.
have high : Z * Z * (N * N * a * (N * N * b)) <= Z * Z * (X * X * (Y * Y)).
  apply: ler_wpmul2l; first exact: sq_ge0.
  by apply: ler_pmul => //; apply: mulr_ge0 => //; apply: sq_ge0.
have s3 : N * N * (2%:Z * (X * Y * (N * Z)) * aligned) <=
  N * N * (X * Y * (X * Y) * p + N * Z * (N * Z) * (a * b)).
  by apply: ler_wpmul2l => //; apply: sq_ge0.
rewrite -(ler_pmul2l XY) -(ler_pmul2l XY).
have small2 : X * Y * (2%:Z * Z * D * (X + Y)) <= X * Y * (X * Y * E) by rewrite ler_pmul2l.
move: low2 high s3 small2; move: aligned a b p => S A B P; clearbody Z; clear; lia.
Qed.
End Sums.

(* ------------------------------------------------------------------ *)
(** ** The theorem *)

(* the least X with m <= X^2 *)
Lemma root_above (m t : nat) : (m <= t * t)%N -> exists2 X : nat, (m <= X * X <= m + 2 * t)%N & (X <= t)%N.
Proof.
move=> mt; case: (ex_minnP (ex_intro (fun X => m <= X * X)%N t mt)) => X mX least; have Xt := least t mt.
exists X => //; rewrite mX /=; case: X mX least Xt => [|X] mX least Xt; first by lia.
have : ~~ (m <= X * X)%N by apply/negP => /least; lia.
by lia.
Qed.

(* (5), from (3) and (4) *)
Lemma assemble (n a b p N X Y q : int) : 1 <= n -> 0 < N -> n <= a -> n <= b ->
  N * N * a <= X * X -> X * X <= N * N * a + 2%:Z * (n * N) ->
  N * N * b <= Y * Y -> Y * Y <= N * N * b + 2%:Z * (n * N) ->
  0 <= gap X Y (n * N) (N * N * n) q -> q <= N * N * p + 8%:Z * (n * n * n * N) ->
  6%:Z * ((a - n) * (b - n)) * N <=
  (n * n - n) * (a + b + 4%:Z * p - 6%:Z * n) * N + 36%:Z * (n * n * n * n * n).
Proof.
move=> n1 N0 na nb aX Xa bY Yb; rewrite /gap subr_ge0 => g qp.
have n0 : 0 <= n by lia.
have nn : n <= n * n by rewrite ler_pemulr.
have NN : 0 < N * N by apply: mulr_gt0.
have c0 : 0 <= N * N * (n * n - n) by apply: mulr_ge0; [apply: ltW | lia].
have ha : N * N * n <= N * N * a by rewrite ler_pmul2l.
have hb : N * N * n <= N * N * b by rewrite ler_pmul2l.
have low : (N * N * a - N * N * n) * (N * N * b - N * N * n) <= (X * X - N * N * n) * (Y * Y - N * N * n).
  by apply: ler_pmul; lia.
set r := N * N * (a + b + 4%:Z * p - 6%:Z * n) + 4%:Z * (n * N) + 32%:Z * (n * n * n * N).
have high : N * N * (n * n - n) * (X * X + Y * Y + 4%:Z * q - 6%:Z * (N * N * n)) <= N * N * (n * n - n) * r.
  by apply: ler_wpmul2l => //; rewrite /r; lia.
have cost : N * N * N * ((n * n - n) * (4%:Z * n + 32%:Z * (n * n * n))) <= N * N * N * (36%:Z * (n * n * n * n * n)).
  rewrite ler_pmul2l; last by apply: mulr_gt0.
  have h1 : n * 1 <= n * (n * n) by apply: ler_wpmul2l => //; lia.
  have h2 : (n * n - n) * (4%:Z * n + 32%:Z * (n * n * n)) <= n * n * (36%:Z * (n * n * n)).
    by apply: ler_pmul; lia.
  by move: h2; clear; lia.
have e : (n * N) * (n * N) - N * N * n = N * N * (n * n - n) by clear; lia.
rewrite e in g.
have NNN : 0 < N * N * N by apply: mulr_gt0.
rewrite -(ler_pmul2l NNN).
move: g low high cost; rewrite /r; clear; lia.
Qed.

Section Class.
Variables (k l : nat) (x : table k.+1 l.+1).
Local Notation n := (total x).
Local Notation a := (\sum_(i < k.+1) row_sum x i ^ 2)%N.
Local Notation b := (\sum_(j < l.+1) col_sum x j ^ 2)%N.

Lemma total_le_rows : (n <= a)%N.
Proof. by apply: leq_trans (squares_le_rows x); apply: total_le_squares. Qed.
Lemma total_le_cols : (n <= b)%N.
Proof. by apply: leq_trans (squares_le_cols x); apply: total_le_squares. Qed.
Lemma rows_le_total : (a <= n * n)%N.
Proof. by rewrite mulnn total_rows; apply: sum_squares_le. Qed.
Lemma cols_le_total : (b <= n * n)%N.
Proof. by rewrite mulnn total_cols; apply: sum_squares_le. Qed.


(* (5), at one N *)
Lemma bound_at (N : nat) : (25 <= n)%N -> (0 < N)%N ->
  6%:Z * ((a%:Z - n%:Z) * (b%:Z - n%:Z)) * N%:Z <=
  (n%:Z * n%:Z - n%:Z) * (a%:Z + b%:Z + 4%:Z * (squares x)%:Z - 6%:Z * n%:Z) * N%:Z
  + 36%:Z * (n%:Z * n%:Z * n%:Z * n%:Z * n%:Z).
Proof.
move=> n25 N0.
have na := total_le_rows; have nb := total_le_cols; have np := total_le_squares x.
have at_most_T (m : nat) : (m <= n * n -> N * N * m <= n * N * (n * N))%N.
  by move=> h; rewrite (_ : n * N * (n * N) = N * N * (n * n))%N ?leq_mul2l ?h ?orbT //; lia.
have [X /andP[aX Xa] XT] := root_above (at_most_T _ rows_le_total).
have [Y /andP[bY Yb] YT] := root_above (at_most_T _ cols_le_total).
have NN : (0 < N * N)%N by rewrite muln_gt0 N0.
have NX : (N <= X)%N.
  rewrite leqNgt; apply/negP => h; have h1 : (X * X < N * N)%N by apply: ltn_mul.
  have h2 : (N * N * 1 <= N * N * a)%N by rewrite leq_mul2l; apply/orP; right; lia.
  by lia.
have NY : (N <= Y)%N.
  rewrite leqNgt; apply/negP => h; have h1 : (Y * Y < N * N)%N by apply: ltn_mul.
  have h2 : (N * N * 1 <= N * N * b)%N by rewrite leq_mul2l; apply/orP; right; lia.
  by lia.
have HX : (N * N * n <= X * X)%N by apply: leq_trans aX; rewrite leq_mul2l na orbT.
have HY : (N * N * n <= Y * Y)%N by apply: leq_trans bY; rewrite leq_mul2l nb orbT.
have HT : (25 * (N * N * n) <= n * N * (n * N))%N.
  have h : (25 * (N * N * n) <= n * (N * N * n))%N by rewrite leq_mul2r n25 orbT.
  by lia.
have [q gap_q q_le] : exists2 q : int, 0 <= gap X%:Z Y%:Z (n * N)%N%:Z (N * N * n)%N%:Z q
   & q <= (N * N * squares x)%N%:Z + 8%:Z * (n * n * n * N)%N%:Z.
  have WE : X%:Z + Y%:Z = (n * N)%N%:Z + (X%:Z + Y%:Z - (n * N)%N%:Z) by lia.
  have HX' : (N * N * n)%N%:Z <= X%:Z * X%:Z by lia.
  have HY' : (N * N * n)%N%:Z <= Y%:Z * Y%:Z by lia.
  have HT' : 25%:Z * (N * N * n)%N%:Z <= (n * N)%N%:Z * (n * N)%N%:Z by lia.
  have XT' : X%:Z <= (n * N)%N%:Z by lia.
  have YT' : Y%:Z <= (n * N)%N%:Z by lia.
  set Z := X%:Z + Y%:Z - (n * N)%N%:Z in WE.
  have H_le : (N * N * n)%N%:Z <= (N * N * squares x)%N%:Z + 8%:Z * (n * n * n * N)%N%:Z.
    have h : (N * N * n <= N * N * squares x)%N by rewrite leq_mul2l np orbT.
    by lia.
  case: (lerP Z 0) => Z0.
    by exists (N * N * n)%N%:Z => //; apply: (@gap_small _ _ _ _ _ _ _ _ _ _ _ _ Z) => //; left.
  case: (lerP (Z * Z) (N * N * n)%N%:Z) => ZH.
    by exists (N * N * n)%N%:Z => //; apply: (@gap_small _ _ _ _ _ _ _ _ _ _ _ _ Z) => //; right.
  exists (Z * Z); first by apply: gap_large => //; apply: ltW.
  have e0 i j : 0 <= entries x i j by [].
  have := @squares_ge _ _ (entries x) e0 N%:Z X%:Z Y%:Z (2%:Z * (n * N)%N%:Z) (8%:Z * (n * n * n * N)%N%:Z).
  rewrite row_squares_Posz col_squares_Posz entry_squares_Posz total_Posz.
  have -> : X%:Z + Y%:Z - n%:Z * N%:Z = Z by rewrite /Z; lia.
  have -> : N%:Z * N%:Z * (squares x)%:Z = (N * N * squares x)%N%:Z by lia.
  apply; [lia | lia | lia | lia | lia | lia | lia | exact: ltW |].
  have ZT : Z <= (n * N)%N%:Z by rewrite /Z; lia.
  have XY : (N * N)%N%:Z <= X%:Z * Y%:Z by have := leq_mul NX NY; lia.
  have h1 : Z * (X%:Z + Y%:Z) <= (n * N)%N%:Z * (2%:Z * (n * N)%N%:Z) by apply: ler_pmul => //; lia.
  have h2 : (n * N)%N%:Z * (Z * (X%:Z + Y%:Z)) <= (n * N)%N%:Z * ((n * N)%N%:Z * (2%:Z * (n * N)%N%:Z)).
    exact: ler_wpmul2l.
  have h3 : (N * N)%N%:Z * (8%:Z * (n * n * n * N)%N%:Z) <= X%:Z * Y%:Z * (8%:Z * (n * n * n * N)%N%:Z).
    by apply: ler_wpmul2r.
  by move: h2 h3; clear; lia.
rewrite !PoszM in gap_q q_le.
by apply: (@assemble n a b (squares x) N X Y q) => //; lia.
Qed.

Theorem together_bound : (25 <= n)%N ->
  (6 * (row_pairs x * col_pairs x) <= all_pairs x * (row_pairs x + col_pairs x + 4 * cell_pairs x))%N.
Proof.
move=> n25; set N := (36 * (n * n * n * n * n) + 1)%N.
have N0 : (0 < N)%N by rewrite /N addn1.
have h := bound_at n25 N0.
have eA : a%:Z = 2%:Z * (row_pairs x)%:Z + n%:Z by have := double_row_pairs x; lia.
have eB : b%:Z = 2%:Z * (col_pairs x)%:Z + n%:Z by have := double_col_pairs x; lia.
have eP : (squares x)%:Z = 2%:Z * (cell_pairs x)%:Z + n%:Z by have := double_cell_pairs x; lia.
have eM : n%:Z * n%:Z - n%:Z = 2%:Z * (all_pairs x)%:Z by have := double_all_pairs x; rewrite -mulnn; lia.
rewrite eA eB eP eM in h.
set A := row_pairs x in h *; set B := col_pairs x in h *; set P := cell_pairs x in h *; set M := all_pairs x in h *.
set G := M%:Z * (A%:Z + B%:Z + 4%:Z * P%:Z) - 6%:Z * (A%:Z * B%:Z).
have {}h : 0 <= 4%:Z * (G * N%:Z) + 36%:Z * (n%:Z * n%:Z * n%:Z * n%:Z * n%:Z) by move: h; rewrite /G; clear; lia.
have G0 : 0 <= G.
  case: (lerP 0 G) => // G1.
  have : G * N%:Z <= -1 * N%:Z by apply: ler_wpmul2r => //; lia.
  by move: h; rewrite /N; clear; lia.
by move: G0; rewrite /G; clear; lia.
Qed.
End Class.

Definition ARI r s (x : table r s) : rat := 1 - ARD x.

Theorem largest_ARD r s (x : table r s) : (25 <= total x)%N -> ARD x <= 3%:R / 2%:R.
Proof.
case: r x => [|k] x n25; first by move: n25; rewrite /total big_ord0.
case: s x n25 => [|l] x n25.
  by move: n25; rewrite /total big1 // => i _; rewrite big_ord0.
have h := together_bound n25.
have M0 : (0 < all_pairs x)%N by rewrite /all_pairs bin_gt0; lia.
rewrite ARD_nat //.
have hF := F_pairs x.
have hA := row_pairs_le x; have hB := col_pairs_le x.
have e : (expected_numerator x + 2 * (row_pairs x * col_pairs x) = all_pairs x * (row_pairs x + col_pairs x))%N.
  rewrite /expected_numerator !mulnBr.
  have h1 : (row_pairs x * col_pairs x <= row_pairs x * all_pairs x)%N by rewrite leq_mul2l hB orbT.
  have h2 : (col_pairs x * row_pairs x <= col_pairs x * all_pairs x)%N by rewrite leq_mul2l hA orbT.
  by move: h1 h2; lia.
case: (posnP (expected_numerator x)) => [-> | e0]; first by rewrite muln0 invr0 mulr0.
rewrite ratio_le //; last by rewrite muln_gt0.
have hFM : (F2 x * all_pairs x + 4 * (cell_pairs x * all_pairs x) = 2 * ((row_pairs x + col_pairs x) * all_pairs x))%N.
  by rewrite mulnA -mulnDl hF mulnA.
by move: h e hFM; clear; lia.
Qed.

Theorem smallest_ARI r s (x : table r s) : (25 <= total x)%N -> - (1 / 2%:R) <= ARI x.
Proof.
move=> /largest_ARD h; rewrite /ARI ler_subr_addr.
by rewrite addrC -ler_subr_addr opprK; apply: le_trans h _.
Qed.
