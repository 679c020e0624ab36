(** * When only hooks have the largest adjusted Rand distance

    Write A, B, P, M for the pairs of objects together in a row, in a column, in a cell, and all pairs, and
      N = A + B - 2P,  D = M (A + B) - 2AB,  so that ARD = M N / D.
    If A, B, P change by dA, dB, dP, with D' > 0 after the change, the identity
      N' D - N D' = (D + N (2B - M)) dA + (D + N (2A - M)) dB - 2 D dP + 2 N dA dB
    gives the sign of the change of ARD ([ARD_lt_gain]).  The factors of dA and dB are 2 D beta and 2 D alpha in
    the words of the Python proofs.  For a table x with the largest ARD of its class it gives four inequalities:
      [up_gain]        one object to another row, in its column;
      [side_gain]      one object to another column, in its row;
      [exchange_gain]  two objects of a column, in the rows i and k, to another column;
      [swap_gain]      two objects of different rows and columns exchange their columns.
    The exchange and its mirror image add up to: alpha <= 1/2, where both are possible.

    Lemma ([largest_is_hook], r, s >= 2, n >= r+s-1).  If 2A > M and beta (a_0 - a_i + 1) > 1 for some row 0 and
    each other row i, then x is a hook.
      (i)   If a_i >= 2, x_ij < x_0j wherever x_ij > 0: an object of (i,j) to (0,j).
      (ii)  Row i has one positive cell: else both columns have sums >= 3 by (i), and the exchange is possible,
            but alpha > 1/2.
      (iii) It is in the same column for all i.  Else let j, l be two such columns, b_j <= b_l.  If b_j >= 2, an
            object of (i,j) to (i,l) raises ARD.  Otherwise x_0j = 0.  If some x_0c >= 2, objects of (i,j) and
            (0,c) exchange their columns.  If none is, all a_i are 1 by (i), and n <= (r-1) + (s-1).

    Theorem A ([largest_ARD_two_rows]).  If the largest ARD of the 2 x s tables with total n > s exceeds
    1 + 2/(n-1), all tables that attain it are hooks.  With d = a_0 - a_1 >= 0, S the sum of (x_0j - x_1j)^2 and
    L = AB - PM:  2 D beta (d^2 - n) = 4 L M + 2 D (S - n) > 2 D S, as D < L (n-1); so d^2 > n, which is 2A > M;
    and S >= d gives beta (d+1) (d^2 - n) > d (d+1) > d^2 - n. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables MaxRandDistance OnlyHooks TwoByTwo BestHook.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.

(* ------------------------------------------------------------------ *)
(** ** One object more *)

Section OneMore.
Variables (r s : nat).
Implicit Types x y : table r s.

(* x is y with one object more in the cell (k,l) *)
Definition one_more y k l x : Prop := forall i j, x i j = y i j + ((i == k) && (j == l)).

Lemma one_more_add y k l : one_more y k l (add y k l).
Proof. by []. Qed.

Lemma one_more_remove x k l : 0 < x k l -> one_more (remove x k l) k l x.
Proof. by move=> xp i j; apply: remove_entry. Qed.

Lemma one_more_row y k l x : one_more y k l x -> forall i, row_sum x i = row_sum y i + (i == k).
Proof. by move=> h i; rewrite -(add_row y k l); apply: eq_bigr => j _; apply: h. Qed.

Lemma one_more_col y k l x : one_more y k l x -> forall j, col_sum x j = col_sum y j + (j == l).
Proof. by move=> h j; rewrite -(add_col y k l); apply: eq_bigr => i _; apply: h. Qed.

Lemma one_more_total y k l x : one_more y k l x -> total x = total y + 1.
Proof.
move/one_more_row => h; rewrite !total_rows; under eq_bigr do rewrite h.
by rewrite big_split /= sum_indicator_eq.
Qed.

Lemma choose_two_one_more m (f g : 'I_m -> nat) k : (forall i, f i = g i + (i == k)) ->
  \sum_i 'C(f i, 2) = \sum_i 'C(g i, 2) + g k.
Proof.
move=> h; rewrite (bigD1 k) //= [in RHS](bigD1 k) //= h eqxx addn1 binS bin1.
rewrite [X in _ + X](eq_bigr (fun i => 'C(g i, 2))); first by lia.
by move=> i /negbTE ik; rewrite h ik addn0.
Qed.

Lemma one_more_row_pairs y k l x : one_more y k l x -> row_pairs x = row_pairs y + row_sum y k.
Proof. by move/one_more_row/choose_two_one_more. Qed.

Lemma one_more_col_pairs y k l x : one_more y k l x -> col_pairs x = col_pairs y + col_sum y l.
Proof. by move/one_more_col/choose_two_one_more. Qed.

Lemma one_more_cell_pairs y k l x : one_more y k l x -> cell_pairs x = cell_pairs y + y k l.
Proof.
move=> h; rewrite /cell_pairs (bigD1 k) //= [in RHS](bigD1 k) //=.
rewrite (@choose_two_one_more _ (x k) (y k) l); last by move=> j; rewrite h eqxx.
rewrite addnAC; congr (_ + _ + _); apply: eq_bigr => i /negbTE ik.
by apply: eq_bigr => j _; rewrite h ik addn0.
Qed.
End OneMore.

(* ------------------------------------------------------------------ *)
(** ** The sign of a change *)

Section Gain.
Variables (r s : nat).
Implicit Types x y : table r s.
Local Open Scope Z_scope.

Definition Arows x : Z := Z.of_nat (row_pairs x).
Definition Bcols x : Z := Z.of_nat (col_pairs x).
Definition Pcells x : Z := Z.of_nat (cell_pairs x).
Definition Mall x : Z := Z.of_nat (all_pairs x).

(* N and D: ARD = M N / D *)
Definition top x : Z := Arows x + Bcols x - 2 * Pcells x.
Definition bottom x : Z := Mall x * (Arows x + Bcols x) - 2 * Arows x * Bcols x.

(* 2 D beta and 2 D alpha *)
Definition row_factor x : Z := bottom x + top x * (2 * Bcols x - Mall x).
Definition col_factor x : Z := bottom x + top x * (2 * Arows x - Mall x).

Definition gain x y : Z :=
  row_factor x * (Arows y - Arows x) + col_factor x * (Bcols y - Bcols x)
  - 2 * bottom x * (Pcells y - Pcells x) + 2 * top x * (Arows y - Arows x) * (Bcols y - Bcols x).

Lemma gain_identity x y : Mall y = Mall x -> gain x y = top y * bottom x - top x * bottom y.
Proof. by move=> e; rewrite /gain /row_factor /col_factor /top /bottom e; ring. Qed.

Lemma bottom_nat x : bottom x = Z.of_nat (expected_numerator x).
Proof.
have := row_pairs_le x; have := col_pairs_le x.
rewrite /bottom /expected_numerator /Arows /Bcols /Mall.
move: (row_pairs x) (col_pairs x) (all_pairs x) => A B M hB hA; nia.
Qed.

Lemma top_nat x : 2 * top x = Z.of_nat (F2 x).
Proof. have := F_pairs x; rewrite /top /Arows /Bcols /Pcells; lia. Qed.

Theorem ARD_lt_gain n x y : (1 < r)%N -> (1 < s)%N -> in_class n x -> in_class n y ->
  (0 < row_pairs x + col_pairs x)%N -> (0 < row_pairs y + col_pairs y)%N ->
  (ARD x < ARD y)%R <-> 0 < gain x y.
Proof.
move=> r1 s1 xM yM hx hy.
have eM : all_pairs y = all_pairs x by case: xM yM => t _ _ [t' _ _]; rewrite /all_pairs t t'.
have M0 : (0 < all_pairs x)%N by have := row_pairs_lt xM r1; lia.
have dx := expected_positive xM r1 s1 hx; have dy := expected_positive yM r1 s1 hy.
rewrite !ARD_nat ?eM // ratio_lt ?muln_gt0 // gain_identity ?/Mall ?eM // !bottom_nat.
have := top_nat x; have := top_nat y.
move: (top x) (top y) (F2 x) (F2 y) (expected_numerator x) (expected_numerator y) => a b f g u v.
move: dx dy M0; move: (all_pairs x) => M ? ? M0 eg ef.
have -> : (f * M * (2 * v) = (2 * M) * (f * v))%N by lia.
have -> : (g * M * (2 * u) = (2 * M) * (g * u))%N by lia.
rewrite ltn_pmul2l; last by lia.
by split=> h; nia.
Qed.
End Gain.

(* ------------------------------------------------------------------ *)
(** ** Tables with the largest ARD *)

Definition largest_ARD r s n (x : table r s) : Prop :=
  in_class n x /\ forall y : table r s, in_class n y -> (ARD y <= ARD x)%R.

Lemma pairs_positive r s n (x : table r s) : in_class n x -> r < n -> 0 < row_pairs x.
Proof.
case=> t _ _ rn; have := double_row_pairs x; rewrite t.
have : \sum_(i < r) (3 * row_sum x i) <= \sum_(i < r) (row_sum x i ^ 2 + 2).
  by apply: leq_sum => i _; move: (row_sum x i) => a; rewrite -mulnn; case: a => [|[|a]]; nia.
have -> : \sum_(i < r) 3 * row_sum x i = 3 * n by rewrite -t total_rows big_distrr.
rewrite big_split /= sum_nat_const card_ord; lia.
Qed.

(* some table of the class has RD > 0: the hook with ones in its arm and leg *)
Lemma separated_somewhere r s n : 1 < r -> 1 < s -> r + s - 1 <= n ->
  exists2 x : table r s, in_class n x & 0 < F2 x.
Proof.
case: r s => [|[|a]] [|[|b]] // _ _ h; pose c := n - a.+1 - b.+1.
have ones m : \sum_(i < m) 1 = m := sum_ones m.
have := @corner_hook_in_class a.+1 b.+1 isT isT c (fun=> 1) (fun=> 1) (fun _ _ => isT) (fun _ _ => isT).
rewrite !ones (_ : c + b.+1 + a.+1 = n); last by rewrite /c; lia.
move=> xM; exists (corner_hook c (fun=> 1) (fun=> 1)) => //.
rewrite F_half corner_hook_row_pairs corner_hook_col_pairs corner_hook_cell_pairs !ones.
have small m : choose_two m (fun=> 1) = 0 by rewrite /choose_two big1.
have c0 : 0 < c by rewrite /c; lia.
have le (k : nat) : 'C(c, 2) + c <= 'C(c + k.+1, 2).
  have -> : 'C(c, 2) + c = 'C(c.+1, 2) by rewrite binS bin1 addnC.
  by apply: leq_bin2l; lia.
rewrite !small; have := le a; have := le b; lia.
Qed.

Section Largest.
Variables (r s n : nat) (x : table r s).
Hypothesis r1 : 1 < r.
Hypothesis s1 : 1 < s.
Hypothesis big : r + s - 1 <= n.
Hypothesis most : largest_ARD n x.

Let xM : in_class n x := proj1 most.

Lemma largest_gain y : in_class n y -> (gain x y <= 0)%integer.
Proof.
move=> yM; have := proj2 most y yM; have rn : r < n by lia.
case: (ARD_lt_gain r1 s1 xM yM) => [||_ h le]; try by apply: ltn_addr; apply: pairs_positive rn.
have [//|pos] : (gain x y <= 0 \/ 0 < gain x y)%integer by lia.
by have := h pos; rewrite Order.TotalTheory.ltNge le.
Qed.

Lemma largest_bottom : (0 < bottom x)%integer.
Proof.
have rn : r < n by lia.
have := expected_positive xM r1 s1 (ltn_addr _ (pairs_positive xM rn)).
by rewrite bottom_nat; lia.
Qed.

Lemma largest_top : (0 < top x)%integer.
Proof.
have [y yM Fy] := separated_somewhere r1 s1 big.
have := largest_gain yM; rewrite gain_identity; last first.
  by case: xM yM => t _ _ [t' _ _]; rewrite /Mall /all_pairs t t'.
have := largest_bottom; have := top_nat y; have : (0 <= bottom y)%integer by rewrite bottom_nat; lia.
by move: (top x) (top y) (bottom x) (bottom y) => *; nia.
Qed.

Hypothesis many : all_pairs x < 2 * row_pairs x.

Lemma col_factor_large : (bottom x < col_factor x)%integer.
Proof.
have := largest_top; rewrite /col_factor /Arows /Mall.
by move: many (top x) (bottom x) => *; nia.
Qed.

(* one object of the row i to the row k, in the column j *)
Lemma up_gain i k j : i != k -> 0 < x i j -> 1 < row_sum x i ->
  (row_factor x * (Z.of_nat (row_sum x k) - Z.of_nat (row_sum x i) + 1)
   <= 2 * bottom x * (Z.of_nat (x k j) - Z.of_nat (x i j) + 1))%integer.
Proof.
move=> ik ij ai; have [t R C] := xM; have ki := ik; rewrite eq_sym in ki.
have h := one_more_remove ij; set y := remove x i j in h.
have g := one_more_add y k j; set z := add y k j in g.
have zM : in_class n z.
  split=> [|i'|j'].
  - by rewrite (one_more_total g) -(one_more_total h).
  - have := one_more_row h i'; have := one_more_row g i'.
    have : (i' == i) < row_sum x i' by case: (i' =P i) => [->|_].
    by lia.
  - by have := one_more_col h j'; have := one_more_col g j'; have := C j'; lia.
have eA : row_pairs z + row_sum x i = row_pairs x + row_sum x k + 1.
  have := one_more_row_pairs h; have := one_more_row_pairs g.
  by have := one_more_row h i; have := one_more_row h k; rewrite (negbTE ki) eqxx; lia.
have eB : col_pairs z = col_pairs x.
  by have := one_more_col_pairs h; have := one_more_col_pairs g; lia.
have eP : cell_pairs z + x i j = cell_pairs x + x k j + 1.
  have := one_more_cell_pairs h; have := one_more_cell_pairs g.
  by have := h i j; have := h k j; rewrite (negbTE ki) !eqxx; lia.
have := largest_gain zM; rewrite /gain /Arows /Bcols /Pcells eB.
move: eA eP; move: (row_pairs z) (row_pairs x) (cell_pairs z) (cell_pairs x) => A' A P' P eA eP.
have -> : (Z.of_nat A' - Z.of_nat A = Z.of_nat (row_sum x k) - Z.of_nat (row_sum x i) + 1)%integer by lia.
have -> : (Z.of_nat P' - Z.of_nat P = Z.of_nat (x k j) - Z.of_nat (x i j) + 1)%integer by lia.
by rewrite Z.sub_diag; lia.
Qed.

(* one object of the column j to the column l, in the row i *)
Lemma side_gain i j l : j != l -> 0 < x i j -> 1 < col_sum x j ->
  (col_factor x * (Z.of_nat (col_sum x l) - Z.of_nat (col_sum x j) + 1)
   <= 2 * bottom x * (Z.of_nat (x i l) - Z.of_nat (x i j) + 1))%integer.
Proof.
move=> jl ij bj; have [t R C] := xM; have lj := jl; rewrite eq_sym in lj.
have h := one_more_remove ij; set y := remove x i j in h.
have g := one_more_add y i l; set z := add y i l in g.
have zM : in_class n z.
  split=> [|i'|j'].
  - by rewrite (one_more_total g) -(one_more_total h).
  - by have := one_more_row h i'; have := one_more_row g i'; have := R i'; lia.
  - have := one_more_col h j'; have := one_more_col g j'.
    have : (j' == j) < col_sum x j' by case: (j' =P j) => [->|_].
    by lia.
have eA : row_pairs z = row_pairs x.
  by have := one_more_row_pairs h; have := one_more_row_pairs g; lia.
have eB : col_pairs z + col_sum x j = col_pairs x + col_sum x l + 1.
  have := one_more_col_pairs h; have := one_more_col_pairs g.
  by have := one_more_col h j; have := one_more_col h l; rewrite (negbTE lj) eqxx; lia.
have eP : cell_pairs z + x i j = cell_pairs x + x i l + 1.
  have := one_more_cell_pairs h; have := one_more_cell_pairs g.
  by have := h i j; have := h i l; rewrite (negbTE lj) !eqxx; lia.
have := largest_gain zM; rewrite /gain /Arows /Bcols /Pcells eA.
move: eB eP; move: (col_pairs z) (col_pairs x) (cell_pairs z) (cell_pairs x) => B' B P' P eB eP.
have -> : (Z.of_nat B' - Z.of_nat B = Z.of_nat (col_sum x l) - Z.of_nat (col_sum x j) + 1)%integer by lia.
have -> : (Z.of_nat P' - Z.of_nat P = Z.of_nat (x i l) - Z.of_nat (x i j) + 1)%integer by lia.
by rewrite Z.sub_diag; lia.
Qed.

(* two objects of a column, in the rows i and k, to another column *)
Lemma exchange_gain i k j l : i != k -> j != l -> 0 < x i j -> 0 < x k j -> 2 < col_sum x j ->
  (col_factor x * (Z.of_nat (col_sum x l) - Z.of_nat (col_sum x j) + 2)
   <= bottom x * (Z.of_nat (x i l + x k l) - Z.of_nat (x i j + x k j) + 2))%integer.
Proof.
move=> ik jl ij kj cj; have [t R C] := xM; have ki := ik; rewrite eq_sym in ki.
have lj := jl; rewrite eq_sym in lj.
have h1 := one_more_remove ij; set y1 := remove x i j in h1.
have y1kj : 0 < y1 k j by have := h1 k j; rewrite (negbTE ki) /=; lia.
have h0 := one_more_remove y1kj; set y := remove y1 k j in h0.
have g1 := one_more_add y i l; set z1 := add y i l in g1.
have g0 := one_more_add z1 k l; set z := add z1 k l in g0.
have zM : in_class n z.
  split=> [|i'|j'].
  - by rewrite (one_more_total g0) (one_more_total g1) -(one_more_total h0) -(one_more_total h1).
  - have := one_more_row h1 i'; have := one_more_row h0 i'; have := one_more_row g1 i'.
    by have := one_more_row g0 i'; have := R i'; lia.
  - have := one_more_col h1 j'; have := one_more_col h0 j'; have := one_more_col g1 j'.
    have := one_more_col g0 j'; have : 2 * (j' == j) < col_sum x j' by case: (j' =P j) => [->|_].
    by lia.
have eA : row_pairs z = row_pairs x.
  have := one_more_row_pairs h1; have := one_more_row_pairs h0.
  have := one_more_row_pairs g1; have := one_more_row_pairs g0.
  by have := one_more_row h0 i; have := one_more_row g1 k; rewrite (negbTE ik) (negbTE ki); lia.
have eB : col_pairs z + 2 * col_sum x j = col_pairs x + 2 * col_sum x l + 4.
  have := one_more_col_pairs h1; have := one_more_col_pairs h0.
  have := one_more_col_pairs g1; have := one_more_col_pairs g0.
  have := one_more_col h1 j; have := one_more_col h1 l; have := one_more_col h0 j; have := one_more_col h0 l.
  by have := one_more_col g1 l; rewrite (negbTE lj) !eqxx; lia.
have eP : cell_pairs z + x i j + x k j = cell_pairs x + x i l + x k l + 2.
  have := one_more_cell_pairs h1; have := one_more_cell_pairs h0.
  have := one_more_cell_pairs g1; have := one_more_cell_pairs g0.
  have := h1 i j; have := h1 k j; have := h1 i l; have := h1 k l; have := h0 i j; have := h0 k j.
  have := h0 i l; have := h0 k l; have := g1 k l.
  by rewrite (negbTE ki) (negbTE lj) !eqxx; lia.
have := largest_gain zM; rewrite /gain /Arows /Bcols /Pcells eA.
move: eB eP; move: (col_pairs z) (col_pairs x) (cell_pairs z) (cell_pairs x) => B' B P' P eB eP.
have -> : (Z.of_nat B' - Z.of_nat B = 2 * (Z.of_nat (col_sum x l) - Z.of_nat (col_sum x j) + 2))%integer by lia.
have -> : (Z.of_nat P' - Z.of_nat P = Z.of_nat (x i l + x k l) - Z.of_nat (x i j + x k j) + 2)%integer by lia.
by rewrite Z.sub_diag; lia.
Qed.

Lemma no_exchange i k j l : i != k -> j != l ->
  0 < x i j -> 0 < x k j -> 0 < x i l -> 0 < x k l -> 2 < col_sum x j -> 2 < col_sum x l -> False.
Proof.
move=> ik jl ij kj il kl cj cl; have lj := jl; rewrite eq_sym in lj.
have := exchange_gain ik jl ij kj cj; have := exchange_gain ik lj il kl cl; have := col_factor_large.
move: (col_factor x) (bottom x) => f d; nia.
Qed.

(* two objects of different rows and columns exchange their columns: the margins stay *)
Lemma swap_gain i k j l : i != k -> j != l -> 0 < x i j -> 0 < x k l ->
  x i j + x k l <= x i l + x k j + 2.
Proof.
move=> ik jl ij kl; have [t R C] := xM; have ki := ik; rewrite eq_sym in ki.
have lj := jl; rewrite eq_sym in lj.
have h1 := one_more_remove ij; set y1 := remove x i j in h1.
have y1kl : 0 < y1 k l by have := h1 k l; rewrite (negbTE ki) /=; lia.
have h0 := one_more_remove y1kl; set y := remove y1 k l in h0.
have g1 := one_more_add y i l; set z1 := add y i l in g1.
have g0 := one_more_add z1 k j; set z := add z1 k j in g0.
have zM : in_class n z.
  split=> [|i'|j'].
  - by rewrite (one_more_total g0) (one_more_total g1) -(one_more_total h0) -(one_more_total h1).
  - have := one_more_row h1 i'; have := one_more_row h0 i'; have := one_more_row g1 i'.
    by have := one_more_row g0 i'; have := R i'; lia.
  - have := one_more_col h1 j'; have := one_more_col h0 j'; have := one_more_col g1 j'.
    by have := one_more_col g0 j'; have := C j'; lia.
have eA : row_pairs z = row_pairs x.
  have := one_more_row_pairs h1; have := one_more_row_pairs h0.
  have := one_more_row_pairs g1; have := one_more_row_pairs g0.
  by have := one_more_row h0 i; have := one_more_row g1 k; rewrite (negbTE ik) (negbTE ki); lia.
have eB : col_pairs z = col_pairs x.
  have := one_more_col_pairs h1; have := one_more_col_pairs h0.
  have := one_more_col_pairs g1; have := one_more_col_pairs g0.
  by have := one_more_col h0 j; have := one_more_col g1 j; rewrite (negbTE jl); lia.
have eP : cell_pairs z + x i j + x k l = cell_pairs x + x i l + x k j + 2.
  have := one_more_cell_pairs h1; have := one_more_cell_pairs h0.
  have := one_more_cell_pairs g1; have := one_more_cell_pairs g0.
  have := h1 i j; have := h1 k j; have := h1 i l; have := h1 k l; have := h0 i j; have := h0 k j.
  have := h0 i l; have := h0 k l; have := g1 k j.
  by rewrite (negbTE ki) (negbTE lj) !eqxx; lia.
have := largest_gain zM; have := largest_bottom; rewrite /gain /Arows /Bcols /Pcells eA eB.
rewrite !Z.sub_diag; move: eP (bottom x); move: (cell_pairs z) (cell_pairs x) => P' P eP d d0 le.
suff: (Z.of_nat P <= Z.of_nat P')%integer by lia.
by nia.
Qed.

(* the row i0 is far larger than the others *)
Variable i0 : 'I_r.
Hypothesis apart : forall i, i != i0 ->
  (2 * bottom x < row_factor x * (Z.of_nat (row_sum x i0) - Z.of_nat (row_sum x i) + 1))%integer.

(* (i) *)
Lemma below_first i j : i != i0 -> 1 < row_sum x i -> 0 < x i j -> x i j < x i0 j.
Proof.
move=> ii ai ij; have := up_gain ii ij ai; have := apart ii; have := largest_bottom.
by move: (bottom x) (row_factor x * _)%integer => d w *; nia.
Qed.

Lemma two_entries_row i j l : j != l -> x i j + x i l <= row_sum x i.
Proof. by move=> jl; rewrite /row_sum (bigD1 j) //= leq_add2l (bigD1 l) ?leq_addr // eq_sym. Qed.

Lemma two_entries_col i k j : i != k -> x i j + x k j <= col_sum x j.
Proof. by move=> ik; rewrite /col_sum (bigD1 i) //= leq_add2l (bigD1 k) ?leq_addr // eq_sym. Qed.

(* (ii) *)
Lemma one_column i j l : i != i0 -> 0 < x i j -> j != l -> x i l = 0.
Proof.
move=> ii ij jl; apply/eqP; rewrite -leqn0 leqNgt; apply/negP => il.
have ai : 1 < row_sum x i by have := two_entries_row i jl; lia.
have hj := below_first ii ai ij; have hl := below_first ii ai il.
have := two_entries_col j ii; have := two_entries_col l ii => cl cj.
by apply: (@no_exchange i i0 j l) => //; lia.
Qed.

(* (iii) *)
Lemma same_column i k j l : i != i0 -> k != i0 -> 0 < x i j -> 0 < x k l -> col_sum x j <= col_sum x l -> j = l.
Proof.
move=> ii kk ij kl bjl; apply/eqP; case: eqP => // /eqP jl; exfalso.
have il := one_column ii ij jl; have [t R C] := xM.
case: (ltnP 1 (col_sum x j)) => bj.
  have := side_gain jl ij bj; have := col_factor_large; have := largest_bottom; rewrite il.
  move: (bottom x) (col_factor x) => d f *.
  have : (0 < f * (Z.of_nat (col_sum x l) - Z.of_nat (col_sum x j) + 1))%integer by nia.
  by nia.
have x0j : x i0 j = 0 by have := two_entries_col j ii; lia.
have small c : x i0 c <= 1.
  case: (j =P c) => [<-|/eqP jc]; first by rewrite x0j.
  case: (posnP (x i0 c)) => [->//|pc].
  by have := swap_gain ii jc ij pc; rewrite (one_column ii ij jc) x0j; lia.
have ones i' : i' != i0 -> row_sum x i' <= 1.
  move=> ii'; rewrite leqNgt; apply/negP => ai'.
  have [/existsP [c pc]|/existsPn no] := boolP [exists c, 0 < x i' c].
    by have := below_first ii' ai' pc; have := small c; lia.
  by move: ai'; rewrite /row_sum big1 // => c _; have := no c; lia.
have first : row_sum x i0 <= s - 1.
  rewrite /row_sum (bigD1 j) //= x0j add0n.
  have -> : s - 1 = \sum_(c < s | c != j) 1 by rewrite sum1_card cardC1 card_ord subn1.
  by apply: leq_sum => c _; apply: small.
have others : \sum_(i' | i' != i0) row_sum x i' <= r - 1.
  have -> : r - 1 = \sum_(i' < r | i' != i0) 1 by rewrite sum1_card cardC1 card_ord subn1.
  by apply: leq_sum => i' ii'; apply: ones.
have : n = row_sum x i0 + \sum_(i' | i' != i0) row_sum x i' by rewrite -t total_rows (bigD1 i0).
by move: others; move: (\sum_(i' | i' != i0) _) => m; have := big; have := r1; have := s1; lia.
Qed.

Theorem largest_is_hook : is_hook x.
Proof.
have [/existsP [i /existsP [j /andP [ii ij]]]|no] := boolP [exists i, [exists j, (i != i0) && (0 < x i j)]].
  exists i0, j => k l kk ll; apply/eqP; rewrite -leqn0 leqNgt; apply/negP => kl.
  case: (leqP (col_sum x j) (col_sum x l)) => [b|/ltnW b].
    by rewrite (same_column ii kk ij kl b) eqxx in ll.
  by rewrite (same_column kk ii kl ij b) eqxx in ll.
exists i0, (Ordinal (ltnW s1)) => k l kk _; apply/eqP; rewrite -leqn0 leqNgt; apply: contra no => kl.
by apply/existsP; exists k; apply/existsP; exists l; rewrite kk.
Qed.
End Largest.

(* ------------------------------------------------------------------ *)
(** ** Two rows *)

(* in each column the difference of the two entries is at most its square *)
Lemma column_differences s (x : table 2 s) i k : i != k ->
  row_sum x i + \sum_(j < s) col_sum x j ^ 2 <= 2 * squares x + row_sum x k.
Proof.
move=> ik; rewrite /squares sum_two /row_sum mulnDr !big_distrr /= -!big_split /=.
apply: leq_sum => j _; rewrite /col_sum sum_two -!mulnn.
have key p q : p + (p + q) * (p + q) <= 2 * (p * p + q * q) + q.
  case: (leqP p q) => h.
    by have [c ->] : exists c, q = p + c; [exists (q - p); lia | nia].
  by have [c ->] : exists c, p = q + c.+1; [exists (p - q - 1); lia | nia].
case: (two_indices i) (two_indices k) ik => -> [] -> // _; have := key (x ord0 j) (x ord_max j).
  by lia.
by have := key (x ord_max j) (x ord0 j); lia.
Qed.

(* the integers of Theorem A: L = AB - PM, S the sum of the squares of the differences of the two rows *)
Lemma far_apart (n d A B P M S : Z) (D := (M * (A + B) - 2 * A * B)%integer)
  (b := (D + (A + B - 2 * P) * (2 * B - M))%integer) (L := (A * B - P * M)%integer) :
  (2 * M = n * (n - 1) -> 4 * A = 2 * M + (d * d - n) -> 4 * P = 2 * B + S - n -> 0 <= d -> d <= S -> 1 < n ->
   0 < D -> 0 < b -> D < L * (n - 1) -> M < 2 * A /\ 2 * D < b * (d + 1))%integer.
Proof.
move=> hM hA hP d0 dS n1 D0 b0 hL.
have key : (b * (d * d - n) = 4 * L * M + 2 * D * (S - n))%integer.
  have -> : (d * d - n = 4 * A - 2 * M)%integer by lia.
  have -> : (S - n = 4 * P - 2 * B)%integer by lia.
  by rewrite /b /L /D; ring.
have hn : (D * n < 2 * L * M)%integer.
  have -> : (2 * L * M = L * (n - 1) * n)%integer.
    have -> : (2 * L * M = L * (2 * M))%integer by ring.
    by rewrite hM; ring.
  by apply: Zmult_lt_compat_r; lia.
have above : (2 * D * S < b * (d * d - n))%integer by lia.
have DS : (0 <= D * S)%integer by apply: Z.mul_nonneg_nonneg; lia.
have dn : (0 < d * d - n)%integer by apply: (@Zmult_lt_0_reg_r b) => //; lia.
split; first by lia.
have Dd : (D * d <= D * S)%integer by apply: Z.mul_le_mono_nonneg_l; lia.
apply: (@Zmult_lt_reg_r _ _ (d * d - n)%integer) => //.
have q : (d * d - n < d * (d + 1))%integer by rewrite Z.mul_add_distr_l; lia.
have {}q := Zmult_lt_compat_l _ _ _ D0 q.
have d1 : (0 < d + 1)%integer by lia.
have : (2 * (D * d) < b * (d * d - n))%integer by lia.
by move/(Zmult_lt_compat_r _ _ _ d1); lia.
Qed.

(* (n+1)/(n-1) = 1 + 2/(n-1) *)
Theorem largest_ARD_two_rows n s (x : table 2 s) :
  1 < s -> s < n -> largest_ARD n x -> (n.+1%:R / n.-1%:R < ARD x)%R -> is_hook x.
Proof.
move=> s1 sn most; have [xM _] := most; have [t R C] := xM.
have n1 : 1 < n by lia.
have M0 : 0 < all_pairs x by rewrite /all_pairs t bin_gt0.
have A0 := pairs_positive xM (leq_ltn_trans s1 sn).
have B0 : 0 < col_pairs x := pairs_positive (in_class_transpose xM) sn.
have D0 := expected_positive xM isT s1 (ltn_addr _ A0).
rewrite ARD_nat // ratio_lt ?muln_gt0 ?D0 //; last by lia.
have bE := bottom_nat x; have tE := top_nat x.
have {}D0 : (0 < bottom x)%integer by lia.
set L := (Arows x * Bcols x - Pcells x * Mall x)%integer.
move=> lt; have hL : (bottom x < L * (Z.of_nat n - 1))%integer.
  have e : (top x * Mall x = bottom x + 2 * L)%integer by rewrite /top /bottom /L; ring.
  have {}lt : (2 * (Z.of_nat n + 1) * bottom x < 2 * (top x * Mall x) * (Z.of_nat n - 1))%integer.
    have -> : (2 * (top x * Mall x) = Z.of_nat (F2 x) * Mall x)%integer by rewrite -tE; ring.
    by rewrite bE /Mall; lia.
  by rewrite e in lt; lia.
have b0 : (0 < row_factor x)%integer.
  have L0 : (0 < L)%integer.
    by apply: (@Zmult_lt_0_reg_r (Z.of_nat n - 1)%integer); lia.
  have e : (row_factor x * Arows x = 2 * (bottom x * Pcells x) + 2 * (Bcols x * L))%integer.
    by rewrite /row_factor /top /bottom /L; ring.
  apply: (@Zmult_lt_0_reg_r (Arows x)); first by rewrite /Arows; lia.
  have : (0 <= bottom x * Pcells x)%integer by apply: Z.mul_nonneg_nonneg; rewrite ?/Pcells; lia.
  have : (0 < Bcols x * L)%integer by apply: Z.mul_pos_pos; rewrite ?/Bcols; lia.
  by lia.
suff heavier i k : i != k -> row_sum x k <= row_sum x i -> is_hook x.
  have [h|/ltnW h] := leqP (row_sum x ord_max) (row_sum x ord0); first by apply: heavier h.
  by apply: heavier h.
move=> ik aik.
have others k' : k' != i -> k' = k.
  by case: (two_indices i) (two_indices k) (two_indices k') ik => -> [] -> [] ->.
have sum_rows (f : 'I_2 -> nat) : \sum_(l < 2) f l = f i + f k.
  by rewrite sum_two; case: (two_indices i) (two_indices k) ik => -> [] -> // _; rewrite addnC.
have S2 := column_differences x ik.
have hr := double_row_pairs x; have hc := double_col_pairs x; have hp := double_cell_pairs x.
have hm := double_all_pairs x; have ht := total_rows x.
rewrite !sum_rows t in hr ht; rewrite t in hc hp hm.
have [] := @far_apart (Z.of_nat n) (Z.of_nat (row_sum x i) - Z.of_nat (row_sum x k)) (Arows x) (Bcols x)
  (Pcells x) (Mall x) (2 * Z.of_nat (squares x) - Z.of_nat (\sum_(j < s) col_sum x j ^ 2)).
- by rewrite /Mall; move: hm; rewrite -mulnn; clear; lia.
- rewrite /Mall /Arows; move: hm hr ht; rewrite -!mulnn; clear; move: (row_sum x i) (row_sum x k) => a c.
  by move=> hm hr ht; rewrite ht in hm hr *; lia.
- by rewrite /Pcells /Bcols; lia.
- by lia.
- by lia.
- by lia.
- exact: D0.
- exact: b0.
- exact: hL.
move=> many apart; apply: (largest_is_hook _ s1 _ most).
- by [].
- by lia.
- by move: many; rewrite /Mall /Arows; lia.
by move=> k' /others ->; exact: apart.
Qed.
